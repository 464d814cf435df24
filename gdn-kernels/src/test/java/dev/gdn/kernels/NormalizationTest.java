package dev.gdn.kernels;

import static dev.gdn.kernels.ShortConvolutionTest.refused;
import static dev.gdn.kernels.Views.UNIT;
import static dev.gdn.kernels.Views.get;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.kernel.Normalization;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NormalizationTest {
  private static final int[] WIDTHS = {1, 3, 7, 16, 24, 33, 64, 96, 128, 130, 1000};
  private static final int[] TOKENS = {0, 1, 2, 5, 17};
  private static final float EPSILON = 1e-6f;

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void normsFollowTheDefinition(KernelSet set) {
    Normalization norms = set.open().normalization();
    Random random = new Random(1);
    for (int width : WIDTHS) {
      for (int tokens : TOKENS) {
        for (int heads : new int[] {1, 3}) {
          // Also where epsilon weighs more than the squares do.
          double size = Math.pow(10, random.nextInt(8) - 5);
          TokenTensor x = Views.random(random, tokens, heads, width, 0, size);
          TokenTensor gate = Views.random(random, tokens, heads, width, 0, 3);
          float[] weight = Values.random(random, width);
          for (boolean zeroCentred : new boolean[] {false, true}) {
            NormWeights weights = new NormWeights(weight, EPSILON, zeroCentred);
            checkRms(norms, weights, x, tokens);
            for (Activation activation : Activation.values()) {
              checkGatedRms(norms, weights, x, gate, activation, tokens);
            }
          }
          checkL2(norms, x, tokens);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void squaresMayBeLargerThanAFloat(KernelSet set) {
    Normalization norms = set.open().normalization();
    for (int width : WIDTHS) {
      NormWeights weights = new NormWeights(Values.random(new Random(2), width), EPSILON, false);
      TokenTensor x = Views.random(new Random(3), 2, 2, width, 0, 1e25);
      checkRms(norms, weights, x, 2);
      checkL2(norms, x, 2);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void sizesThatDoNotFitAreRefused(KernelSet set) {
    Normalization norms = set.open().normalization();
    NormWeights weights = new NormWeights(new float[6], EPSILON, false);
    TokenTensor good = Views.blank(3, 2, 6);
    TokenTensor bad = Views.blank(3, 2, 7);
    Activation silu = Activation.SILU;
    refused(() -> norms.rms(weights, bad, bad, 3), "7");
    refused(() -> norms.rms(weights, good, bad, 3), "7");
    refused(() -> norms.rms(weights, good, good, 9), "9");
    refused(() -> norms.gatedRms(weights, good, bad, silu, good, 3), "7");
    refused(() -> norms.gatedRms(weights, bad, good, silu, good, 3), "7");
    refused(() -> norms.l2(EPSILON, good, bad, 3), "7");
    refused(() -> norms.l2(EPSILON, good, good, -1), "-1");
  }

  static void checkRms(Normalization norms, NormWeights weights, TokenTensor x, int n) {
    TokenTensor y = Views.blank(n, x.heads(), x.width());
    norms.rms(weights, x, y, n);
    check(weights, x, null, Activation.IDENTITY, y, n);
    TokenTensor inPlace = Views.copy(x);
    norms.rms(weights, inPlace, inPlace, n);
    check(weights, x, null, Activation.IDENTITY, inPlace, n);
  }

  static void checkGatedRms(
      Normalization norms,
      NormWeights weights,
      TokenTensor x,
      TokenTensor gate,
      Activation activation,
      int tokens) {
    TokenTensor y = Views.blank(tokens, x.heads(), x.width());
    norms.gatedRms(weights, x, gate, activation, y, tokens);
    check(weights, x, gate, activation, y, tokens);
    TokenTensor inPlace = Views.copy(x);
    norms.gatedRms(weights, inPlace, gate, activation, inPlace, tokens);
    check(weights, x, gate, activation, inPlace, tokens);
  }

  // A sum of n squares has no cancellation and is right to n units in any order, its inverse root
  // to half as many; the weight, the gate and the products add a few.
  private static void check(
      NormWeights weights,
      TokenTensor x,
      TokenTensor gate,
      Activation activation,
      TokenTensor y,
      int tokens) {
    int width = x.width();
    String what = "norm of width " + width;
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < x.heads(); h++) {
        double factor = 1 / Math.sqrt(squares(x, t, h) / width + EPSILON);
        for (int i = 0; i < width; i++) {
          double weight = weights.weight()[i] + (weights.zeroCentred() ? 1.0 : 0.0);
          double normed = get(x, t, h, i) * factor * weight;
          double expected =
              gate == null ? normed : normed * Values.apply(activation, get(gate, t, h, i));
          double tolerance = (width / 2.0 + 12) * UNIT * Math.abs(expected);
          Views.assertNear(what, expected, get(y, t, h, i), tolerance);
        }
      }
    }
    Views.assertGapsUntouched(y, tokens);
  }

  static void checkL2(Normalization norms, TokenTensor x, int tokens) {
    TokenTensor y = Views.blank(tokens, x.heads(), x.width());
    norms.l2(EPSILON, x, y, tokens);
    TokenTensor inPlace = Views.copy(x);
    norms.l2(EPSILON, inPlace, inPlace, tokens);
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < x.heads(); h++) {
        double factor = 1 / Math.sqrt(squares(x, t, h) + EPSILON);
        for (int i = 0; i < x.width(); i++) {
          double expected = get(x, t, h, i) * factor;
          double tolerance = (x.width() / 2.0 + 8) * UNIT * Math.abs(expected);
          Views.assertNear("L2 norm", expected, get(y, t, h, i), tolerance);
          Views.assertNear("L2 norm in place", expected, get(inPlace, t, h, i), tolerance);
        }
      }
    }
    Views.assertGapsUntouched(y, tokens);
  }

  private static double squares(TokenTensor x, int t, int h) {
    double squares = 0;
    for (int i = 0; i < x.width(); i++) {
      squares += get(x, t, h, i) * get(x, t, h, i);
    }
    return squares;
  }
}
