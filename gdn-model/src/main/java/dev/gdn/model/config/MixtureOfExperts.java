package dev.gdn.model.config;

/**
 * A router sends each token to a few of many small feed-forwards, the experts, and weighs their
 * outputs by its softmax; a shared expert takes every token and is weighed by a sigmoid gate.
 *
 * @param experts at least 1
 * @param expertsPerToken experts that a token goes to, from 1 to {@code experts}
 * @param normalised whether their weights are scaled to add up to 1
 * @param intermediateSize output width of an expert's gate and up, at least 1
 * @param sharedIntermediateSize output width of the shared expert's gate and up, at least 1
 */
public record MixtureOfExperts(
    int experts,
    int expertsPerToken,
    boolean normalised,
    int intermediateSize,
    int sharedIntermediateSize)
    implements FeedForwardConfig {
  /** Most experts of a layer; published models have up to 512. */
  public static final int MAXIMUM_EXPERTS = 1 << 14;

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public MixtureOfExperts {
    Sizes.positive("experts", experts);
    Sizes.positive("expertsPerToken", expertsPerToken);
    Sizes.positive("intermediateSize", intermediateSize);
    Sizes.positive("sharedIntermediateSize", sharedIntermediateSize);
    if (experts > MAXIMUM_EXPERTS || expertsPerToken > experts) {
      throw new IllegalArgumentException(
          "experts: expected from %d, as many as a token goes to, up to %d, found %d"
              .formatted(expertsPerToken, MAXIMUM_EXPERTS, experts));
    }
  }
}
