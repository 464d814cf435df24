package dev.gdn.model.layer;

import dev.gdn.core.kernel.ExpertRoutes;
import dev.gdn.core.tensor.TokenTensor;

/**
 * Sends each token to the experts with the highest scores, weighed by the softmax of the scores in
 * float32: over all experts, or over the chosen ones alone, which is what scaling the former to add
 * up to 1 gives. Of equal scores the first expert's counts as higher.
 *
 * @param normalised whether the weights of a token's experts add up to 1
 */
record SoftmaxRouter(boolean normalised) implements ExpertRouter {
  @Override
  public void route(TokenTensor scores, int tokens, ExpertRoutes routes) {
    scores.check("router scores", tokens, 1, routes.experts());
    for (int t = 0; t < tokens; t++) {
      route(scores.data(), scores.at(t), t * routes.chosen(), routes);
    }
    routes.group(tokens);
  }

  private void route(float[] scores, int at, int to, ExpertRoutes routes) {
    int[] experts = routes.expertOf();
    float[] weights = routes.weightOf();
    int chosen = routes.chosen();
    int found = 0;
    for (int e = 0; e < routes.experts(); e++) {
      float score = scores[at + e];
      if (found == chosen && !(score > weights[to + chosen - 1])) {
        continue;
      }
      int place = found < chosen ? found++ : chosen - 1;
      for (; place > 0 && score > weights[to + place - 1]; place--) {
        experts[to + place] = experts[to + place - 1];
        weights[to + place] = weights[to + place - 1];
      }
      experts[to + place] = e;
      weights[to + place] = score;
    }
    float highest = weights[to];
    float sum =
        normalised ? sum(weights, to, chosen, highest) : sum(scores, at, routes.experts(), highest);
    for (int j = to; j < to + chosen; j++) {
      weights[j] = exp(weights[j] - highest) / sum;
    }
  }

  private static float sum(float[] scores, int from, int count, float highest) {
    float sum = 0;
    for (int i = from; i < from + count; i++) {
      sum += exp(scores[i] - highest);
    }
    return sum;
  }

  private static float exp(float x) {
    return (float) Math.exp(x);
  }
}
