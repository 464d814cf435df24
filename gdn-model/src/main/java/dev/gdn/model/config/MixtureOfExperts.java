package dev.gdn.model.config;

import java.util.Objects;

/**
 * A router sends each token to a few of many small feed-forwards, the experts, and weighs their
 * outputs; a shared expert takes every token.
 *
 * @param experts at least 1
 * @param expertsPerToken experts that a token goes to, from 1 to {@code experts}
 * @param router how they are chosen and weighed
 * @param intermediateSize output width of an expert's gate and up, at least 1
 * @param sharedIntermediateSize output width of the shared expert's gate and up, at least 1
 * @param sharedGated whether a sigmoid gate weighs the shared expert
 */
public record MixtureOfExperts(
    int experts,
    int expertsPerToken,
    RouterConfig router,
    int intermediateSize,
    int sharedIntermediateSize,
    boolean sharedGated)
    implements FeedForwardConfig {
  /** Most experts of a layer; published models have up to 512. */
  public static final int MAXIMUM_EXPERTS = 1 << 14;

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public MixtureOfExperts {
    Objects.requireNonNull(router, "router");
    Sizes.positive("experts", experts);
    Sizes.positive("expertsPerToken", expertsPerToken);
    Sizes.positive("intermediateSize", intermediateSize);
    Sizes.positive("sharedIntermediateSize", sharedIntermediateSize);
    if (experts > MAXIMUM_EXPERTS || expertsPerToken > experts) {
      throw new IllegalArgumentException(
          "experts: expected from %d, as many as a token goes to, up to %d, found %d"
              .formatted(expertsPerToken, MAXIMUM_EXPERTS, experts));
    }
    if (router instanceof SigmoidRouting sigmoid) {
      checkGroups(experts, expertsPerToken, sigmoid);
    }
  }

  private static void checkGroups(int experts, int expertsPerToken, SigmoidRouting router) {
    Sizes.multiple("experts", experts, "groups", router.groups());
    int size = experts / router.groups();
    if (size < SigmoidRouting.BEST_OF_GROUP || expertsPerToken > router.chosenGroups() * size) {
      throw new IllegalArgumentException(
          "groups: expected at least %d experts in each and %d in %d of them, found %d in each"
              .formatted(
                  SigmoidRouting.BEST_OF_GROUP, expertsPerToken, router.chosenGroups(), size));
    }
  }

  /**
   * As in Qwen3.5: weighed by the softmax, and by a sigmoid gate for the shared expert.
   *
   * @param normalised whether the weights of a token's experts are scaled to add up to 1
   * @throws IllegalArgumentException if a number is out of range
   */
  public MixtureOfExperts(
      int experts,
      int expertsPerToken,
      boolean normalised,
      int intermediateSize,
      int sharedIntermediateSize) {
    this(
        experts,
        expertsPerToken,
        new SoftmaxRouting(normalised),
        intermediateSize,
        sharedIntermediateSize,
        true);
  }

  /** Whether the weights of a token's experts are scaled to add up to 1. */
  public boolean normalised() {
    return router.normalised();
  }
}
