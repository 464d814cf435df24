package dev.gdn.model.config;

/**
 * The experts whose sigmoid and correction bias are highest together, weighed by the sigmoid alone
 * (DeepSeek-V3, arXiv 2412.19437, section 2.1.2). Experts are chosen from the best groups only; a
 * group is as good as its best two.
 *
 * @param normalised whether the weights of a token's experts are scaled to add up to 1, before the
 *     scale
 * @param groups equal parts of the experts, at least 1
 * @param chosenGroups groups that a token's experts are of, from 1 to {@code groups}
 * @param scale multiplies the weights, over 0
 */
public record SigmoidRouting(boolean normalised, int groups, int chosenGroups, double scale)
    implements RouterConfig {
  /** What makes a group good: its best experts, this many. */
  public static final int BEST_OF_GROUP = 2;

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public SigmoidRouting {
    Sizes.positive("groups", groups);
    Sizes.positive("chosenGroups", chosenGroups);
    if (chosenGroups > groups) {
      throw new IllegalArgumentException(
          "chosenGroups: expected at most %d, found %d".formatted(groups, chosenGroups));
    }
    if (!(scale > 0) || Double.isInfinite(scale)) {
      throw new IllegalArgumentException("scale: expected a number over 0, found " + scale);
    }
  }
}
