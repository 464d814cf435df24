package dev.gdn.model.config;

/**
 * down(silu(gate(x)) · up(x)).
 *
 * @param intermediateSize output width of gate and up, at least 1
 */
public record DenseFeedForward(int intermediateSize) implements FeedForwardConfig {
  /**
   * @throws IllegalArgumentException if the size is out of range
   */
  public DenseFeedForward {
    Sizes.positive("intermediateSize", intermediateSize);
  }
}
