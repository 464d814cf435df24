package dev.gdn.kernels;

import dev.gdn.core.kernel.ExpertRoutes;
import java.util.Random;

/** Random routes for tests. */
final class Routes {
  private Routes() {}

  /** Different experts for each token, the first of them more often than others, grouped. */
  static ExpertRoutes random(Random random, int experts, int chosen, int tokens) {
    ExpertRoutes routes = new ExpertRoutes(experts, chosen, tokens + 1);
    for (int t = 0; t < tokens; t++) {
      int first = random.nextBoolean() ? 0 : random.nextInt(experts);
      for (int j = 0; j < chosen; j++) {
        routes.expertOf()[t * chosen + j] = (first + j) % experts;
        routes.weightOf()[t * chosen + j] = (float) random.nextGaussian();
      }
    }
    routes.group(tokens);
    return routes;
  }
}
