package dev.gdn.model.layer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.kernel.ExpertRoutes;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.config.SigmoidRouting;
import org.junit.jupiter.api.Test;

class SigmoidRouterTest {
  private static ExpertRoutes route(
      SigmoidRouting config, int chosen, float[] bias, float... scores) {
    ExpertRoutes routes = new ExpertRoutes(bias.length, chosen, 1);
    new SigmoidRouter(config, bias).route(TokenTensor.of(scores, scores.length), 1, routes);
    return routes;
  }

  private static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  @Test
  void biasesChooseButDoNotWeigh() {
    float[] bias = {0, 0.9f, 0, 0};
    ExpertRoutes routes = route(new SigmoidRouting(true, 1, 1, 2.5), 2, bias, 1, -2, 0, 2);
    assertArrayEquals(new int[] {1, 3}, routes.expertOf());
    double sum = sigmoid(-2) + sigmoid(2);
    assertEquals(2.5 * sigmoid(-2) / sum, routes.weightOf()[0], 1e-6);
    assertEquals(2.5 * sigmoid(2) / sum, routes.weightOf()[1], 1e-6);
  }

  @Test
  void weightsThatAreNotNormalised() {
    ExpertRoutes routes =
        route(new SigmoidRouting(false, 1, 1, 2), 2, new float[3], -1, 0.5f, 0.25f);
    assertArrayEquals(new int[] {1, 2}, routes.expertOf());
    assertEquals(2 * sigmoid(0.5), routes.weightOf()[0], 1e-6);
    assertEquals(2 * sigmoid(0.25), routes.weightOf()[1], 1e-6);
  }

  /** The best expert is in the group whose best two are the worst. */
  @Test
  void onlyExpertsOfTheBestGroupsAreChosen() {
    ExpertRoutes routes =
        route(new SigmoidRouting(true, 3, 2, 1), 3, new float[6], 9, -9, 1, 2, 0, 3);
    assertArrayEquals(new int[] {5, 3, 2}, routes.expertOf());
  }

  @Test
  void ofEqualOnesTheFirstIsChosen() {
    ExpertRoutes routes = route(new SigmoidRouting(true, 2, 1, 1), 2, new float[4], 1, 1, 1, 1);
    assertArrayEquals(new int[] {0, 1}, routes.expertOf());
    assertArrayEquals(new float[] {0.5f, 0.5f}, routes.weightOf());
  }

  @Test
  void scoresThatAreNoNumbersChooseSomeExperts() {
    float nan = Float.NaN;
    ExpertRoutes routes =
        route(new SigmoidRouting(true, 2, 1, 1), 2, new float[4], nan, nan, nan, nan);
    assertEquals(2, routes.rows());
  }
}
