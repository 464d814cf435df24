package dev.gdn.model.layer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.kernel.ExpertRoutes;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SoftmaxRouterTest {
  private static ExpertRoutes route(boolean normalised, int chosen, float... scores) {
    ExpertRoutes routes = new ExpertRoutes(scores.length, chosen, 1);
    new SoftmaxRouter(normalised).route(TokenTensor.of(scores, scores.length), 1, routes);
    return routes;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theLargestOfTheSoftmaxAreChosen(boolean normalised) {
    Random random = new Random(1);
    int experts = 61;
    for (int chosen : new int[] {1, 2, 8, experts}) {
      float[] scores = new float[experts];
      for (int e = 0; e < experts; e++) {
        scores[e] = (float) (5 * random.nextGaussian());
      }
      ExpertRoutes routes = route(normalised, chosen, scores);
      int[] order =
          IntStream.range(0, experts)
              .boxed()
              .sorted((a, b) -> Float.compare(scores[b], scores[a]))
              .mapToInt(Integer::intValue)
              .limit(chosen)
              .toArray();
      assertArrayEquals(order, routes.expertOf());
      IntStream counted = normalised ? Arrays.stream(order) : IntStream.range(0, experts);
      double sum = counted.mapToDouble(e -> Math.exp(scores[e])).sum();
      for (int j = 0; j < chosen; j++) {
        double expected = Math.exp(scores[order[j]]) / sum;
        // The difference to the highest score, up to 32, is rounded to 2^-20.
        assertEquals(expected, routes.weightOf()[j], 0x1p-18 * expected);
      }
    }
  }

  @Test
  void ofEqualScoresTheFirstExpertIsChosen() {
    ExpertRoutes routes = route(true, 2, 1, 3, 3, 3, 2);
    assertArrayEquals(new int[] {1, 2}, routes.expertOf());
    assertArrayEquals(new float[] {0.5f, 0.5f}, routes.weightOf());
  }

  @Test
  void largeScoresDoNotOverflow() {
    ExpertRoutes routes = route(false, 2, 1e30f, -1e30f, 1e30f);
    assertArrayEquals(new int[] {0, 2}, routes.expertOf());
    assertArrayEquals(new float[] {0.5f, 0.5f}, routes.weightOf());
  }

  @Test
  void scoresThatAreNoNumbersGiveWeightsThatAreNone() {
    ExpertRoutes routes = route(true, 2, Float.NaN, Float.NaN, Float.NaN);
    assertArrayEquals(new int[] {0, 1}, routes.expertOf());
    assertTrue(DoubleStream.of(routes.weightOf()[0], routes.weightOf()[1]).allMatch(Double::isNaN));
  }

  @Test
  void everyTokenHasItsOwn() {
    ExpertRoutes routes = new ExpertRoutes(3, 1, 2);
    float[] scores = {0, 1, 9, 9, 1, 9};
    TokenTensor view = new TokenTensor(scores, 0, 3, 1, 3, 3);
    new SoftmaxRouter(true).route(view, 2, routes);
    assertArrayEquals(new int[] {2, 0}, routes.expertOf());
    assertEquals(2, routes.rows());
    SoftmaxRouter router = new SoftmaxRouter(true);
    TokenTensor narrow = TokenTensor.of(scores, 2);
    assertThrows(IllegalArgumentException.class, () -> router.route(narrow, 2, routes));
  }
}
