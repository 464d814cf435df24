package dev.gdn.model.config;

/**
 * Several streams side by side. A block reads their mean, each element weighed by a gate of low
 * rank, and what it gives is added to each stream with a weight of its own.
 *
 * @param count streams, at least 2
 * @param rank of the gates, at least 1
 */
public record ResidualStreams(int count, int rank) implements ResidualConfig {
  /** Most streams; published models have 4. */
  public static final int MAXIMUM_COUNT = 64;

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public ResidualStreams {
    Sizes.positive("rank", rank);
    if (count < 2 || count > MAXIMUM_COUNT) {
      throw new IllegalArgumentException(
          "residual streams: expected 2 to %d, found %d".formatted(MAXIMUM_COUNT, count));
    }
  }
}
