package dev.gdn.model.layer;

import dev.gdn.core.kernel.ExpertRoutes;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.config.SigmoidRouting;
import java.util.Arrays;

/**
 * Sends each token to the experts with the highest σ(score) + bias among those of the best groups,
 * weighed by σ(score). A group counts as the sum of its best two. Of equal ones the first counts as
 * higher.
 */
final class SigmoidRouter implements ExpertRouter {
  /** Added to the sum of weights, as the reference does, so that zeros stay zeros. */
  private static final float LEAST_SUM = 1e-20f;

  private final SigmoidRouting config;
  private final float[] bias;
  private final float[] chances;
  private final float[] groupScores;
  private final int groupSize;

  /**
   * @param bias of each expert
   */
  SigmoidRouter(SigmoidRouting config, float[] bias) {
    this.config = config;
    this.bias = bias;
    this.chances = new float[bias.length];
    this.groupScores = new float[config.groups()];
    this.groupSize = bias.length / config.groups();
  }

  @Override
  public void route(TokenTensor scores, int tokens, ExpertRoutes routes) {
    scores.check("router scores", tokens, 1, bias.length);
    for (int t = 0; t < tokens; t++) {
      route(scores.data(), scores.at(t), t * routes.chosen(), routes);
    }
    routes.group(tokens);
  }

  // The scores become sigmoids in their place.
  private void route(float[] scores, int at, int to, ExpertRoutes routes) {
    for (int e = 0; e < bias.length; e++) {
      float sigmoid = (float) (1 / (1 + Math.exp(-scores[at + e])));
      scores[at + e] = sigmoid;
      chances[e] = sigmoid + bias[e];
    }
    dropGroups();
    int[] experts = routes.expertOf();
    float[] weights = routes.weightOf();
    float sum = 0;
    for (int j = to; j < to + routes.chosen(); j++) {
      int expert = highest(chances, 0, chances.length);
      chances[expert] = Float.NEGATIVE_INFINITY;
      experts[j] = expert;
      weights[j] = scores[at + expert];
      sum += weights[j];
    }
    float factor = (float) config.scale();
    for (int j = to; j < to + routes.chosen(); j++) {
      float weight = config.normalised() ? weights[j] / (sum + LEAST_SUM) : weights[j];
      weights[j] = weight * factor;
    }
  }

  private void dropGroups() {
    if (config.chosenGroups() == config.groups()) {
      return;
    }
    for (int g = 0; g < groupScores.length; g++) {
      groupScores[g] = bestTwo(g * groupSize);
    }
    for (int dropped = config.groups() - config.chosenGroups(); dropped > 0; dropped--) {
      int group = lowest(groupScores);
      groupScores[group] = Float.POSITIVE_INFINITY;
      int first = group * groupSize;
      Arrays.fill(chances, first, first + groupSize, Float.NEGATIVE_INFINITY);
    }
  }

  private float bestTwo(int first) {
    float best = Float.NEGATIVE_INFINITY;
    float second = Float.NEGATIVE_INFINITY;
    for (int e = first; e < first + groupSize; e++) {
      second = Math.max(second, Math.min(best, chances[e]));
      best = Math.max(best, chances[e]);
    }
    return best + second;
  }

  // The first of the highest; some element even if none is a number.
  private static int highest(float[] values, int from, int to) {
    int best = from;
    for (int i = from + 1; i < to; i++) {
      if (values[i] > values[best]) {
        best = i;
      }
    }
    return best;
  }

  // The last of the lowest.
  private static int lowest(float[] values) {
    int least = 0;
    for (int i = 1; i < values.length; i++) {
      if (values[i] <= values[least]) {
        least = i;
      }
    }
    return least;
  }
}
