package dev.gdn.kernels;

import static dev.gdn.kernels.ShortConvolutionTest.refused;
import static dev.gdn.kernels.Views.UNIT;
import static dev.gdn.kernels.Views.get;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.kernel.ExpertDispatch;
import dev.gdn.core.kernel.ExpertRoutes;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExpertDispatchTest {
  private static final int[] WIDTHS = {1, 3, 7, 16, 24, 33, 64, 130};
  private static final int[] TOKENS = {0, 1, 2, 5, 70};

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void rowsAreThoseOfTheirTokens(KernelSet set) {
    ExpertDispatch dispatch = set.open().experts();
    Random random = new Random(1);
    for (int width : WIDTHS) {
      for (int tokens : TOKENS) {
        ExpertRoutes routes = Routes.random(random, 6, 3, tokens);
        TokenTensor x = Views.random(random, tokens, 1, width);
        TokenTensor y = Views.blank(3 * tokens, 1, width);
        dispatch.gather(x, routes, y);
        for (int pair = 0; pair < 3 * tokens; pair++) {
          for (int i = 0; i < width; i++) {
            assertEquals(get(x, pair / 3, 0, i), get(y, routes.rowOf()[pair], 0, i));
          }
        }
        Views.assertGapsUntouched(y, 3 * tokens);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void weightedRowsAreAddedToTheirTokens(KernelSet set) {
    ExpertDispatch dispatch = set.open().experts();
    Random random = new Random(2);
    for (int width : WIDTHS) {
      for (int tokens : TOKENS) {
        ExpertRoutes routes = Routes.random(random, 6, 3, tokens);
        TokenTensor x = Views.random(random, 3 * tokens, 1, width);
        TokenTensor before = Views.random(random, tokens, 1, width);
        TokenTensor y = Views.copy(before);
        dispatch.scatterAdd(x, routes, y);
        for (int t = 0; t < tokens; t++) {
          for (int i = 0; i < width; i++) {
            double sum = get(before, t, 0, i);
            double size = Math.abs(sum);
            for (int pair = 3 * t; pair < 3 * t + 3; pair++) {
              double term = routes.weightOf()[pair] * get(x, routes.rowOf()[pair], 0, i);
              sum += term;
              size += Math.abs(term);
            }
            Views.assertNear("sum", sum, get(y, t, 0, i), 6 * UNIT * size);
          }
        }
        Views.assertGapsUntouched(y, tokens);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void sizesThatDoNotFitAreRefused(KernelSet set) {
    ExpertDispatch dispatch = set.open().experts();
    ExpertRoutes routes = Routes.random(new Random(3), 4, 2, 3);
    TokenTensor tokens = Views.blank(3, 1, 5);
    TokenTensor rows = Views.blank(6, 1, 5);
    refused(() -> dispatch.gather(Views.blank(3, 1, 4), routes, rows), "found 1 of 5");
    refused(() -> dispatch.gather(Views.blank(2, 1, 5), routes, rows), "tokens of experts");
    refused(() -> dispatch.gather(tokens, routes, Views.blank(5, 1, 5)), "rows of experts");
    refused(() -> dispatch.scatterAdd(rows, routes, Views.blank(3, 1, 6)), "found 1 of 6");
    refused(() -> dispatch.scatterAdd(Views.blank(4, 1, 5), routes, tokens), "rows of experts");
  }
}
