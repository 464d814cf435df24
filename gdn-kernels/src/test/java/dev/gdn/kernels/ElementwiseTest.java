package dev.gdn.kernels;

import static dev.gdn.kernels.ShortConvolutionTest.refused;
import static dev.gdn.kernels.Views.UNIT;
import static dev.gdn.kernels.Views.get;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.DecayGateWeights;
import dev.gdn.core.kernel.Elementwise;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ElementwiseTest {
  private static final int[] WIDTHS = {1, 3, 7, 16, 24, 33, 64, 130};
  private static final int[] TOKENS = {0, 1, 2, 5, 17};
  private static final float[] SPECIAL = {
    0, -0f, 1e-30f, -1e-30f, 1e-7f, -1e-7f, 15, -15, 20, -20, 87, -87, 89, -89, 104, -104, 1000,
    -1000, 1e30f, -1e30f
  };

  // Results are right to a few units; below the smallest normal number they may be flushed to 0.
  private static double few(double expected, double units) {
    return units * UNIT * Math.abs(expected) + Float.MIN_NORMAL;
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void activationsAreRightToAFewUnits(KernelSet set) {
    Elementwise elementwise = set.open().elementwise();
    Random random = new Random(1);
    for (int width : WIDTHS) {
      for (int tokens : TOKENS) {
        for (Activation activation : Activation.values()) {
          check(elementwise, random, activation, tokens, width);
        }
      }
    }
  }

  static void check(
      Elementwise elementwise, Random random, Activation activation, int tokens, int width) {
    TokenTensor x = wide(random, tokens, 2, width);
    TokenTensor factor = Views.random(random, tokens, 2, width);
    TokenTensor y = Views.blank(tokens, 2, width);
    elementwise.apply(activation, x, y, tokens);
    TokenTensor inPlace = Views.copy(x);
    elementwise.apply(activation, inPlace, inPlace, tokens);
    TokenTensor gated = Views.copy(factor);
    elementwise.gate(activation, x, gated, gated, tokens);
    TokenTensor overGate = Views.copy(x);
    elementwise.gate(activation, overGate, factor, overGate, tokens);
    String what = activation.name();
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < 2; h++) {
        for (int i = 0; i < width; i++) {
          double expected = Values.apply(activation, get(x, t, h, i));
          Views.assertNear(what, expected, get(y, t, h, i), few(expected, 8));
          Views.assertNear(what, expected, get(inPlace, t, h, i), few(expected, 8));
          double product = expected * get(factor, t, h, i);
          Views.assertNear(what, product, get(gated, t, h, i), few(product, 10));
          Views.assertNear(what, product, get(overGate, t, h, i), few(product, 10));
        }
      }
    }
    Views.assertGapsUntouched(y, tokens);
    Views.assertGapsUntouched(gated, tokens);
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void oneGateForEachToken(KernelSet set) {
    Elementwise elementwise = set.open().elementwise();
    Random random = new Random(4);
    for (int width : WIDTHS) {
      for (int tokens : TOKENS) {
        TokenTensor gate = wide(random, tokens, 1, 1);
        TokenTensor x = Views.random(random, tokens, 2, width);
        TokenTensor y = Views.copy(x);
        elementwise.gateTokens(Activation.SIGMOID, gate, y, y, tokens);
        for (int t = 0; t < tokens; t++) {
          double factor = Values.apply(Activation.SIGMOID, get(gate, t, 0, 0));
          for (int h = 0; h < 2; h++) {
            for (int i = 0; i < width; i++) {
              double product = factor * get(x, t, h, i);
              Views.assertNear("gated", product, get(y, t, h, i), few(product, 10));
            }
          }
        }
        Views.assertGapsUntouched(y, tokens);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void multiplesAreRounded(KernelSet set) {
    Elementwise elementwise = set.open().elementwise();
    Random random = new Random(5);
    for (int width : WIDTHS) {
      for (int tokens : TOKENS) {
        TokenTensor x = Views.random(random, tokens, 2, width);
        TokenTensor y = Views.copy(x);
        elementwise.scale(0.3f, y, y, tokens);
        for (int t = 0; t < tokens; t++) {
          for (int h = 0; h < 2; h++) {
            for (int i = 0; i < width; i++) {
              float product = 0.3f * (float) get(x, t, h, i);
              Views.assertNear("multiple", product, get(y, t, h, i), 0);
            }
          }
        }
        Views.assertGapsUntouched(y, tokens);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void sumsAreRounded(KernelSet set) {
    Elementwise elementwise = set.open().elementwise();
    Random random = new Random(2);
    for (int width : WIDTHS) {
      for (int tokens : TOKENS) {
        TokenTensor x = Views.random(random, tokens, 2, width);
        TokenTensor y = Views.random(random, tokens, 2, width);
        TokenTensor sum = Views.copy(y);
        elementwise.add(x, sum, tokens);
        for (int t = 0; t < tokens; t++) {
          for (int h = 0; h < 2; h++) {
            for (int i = 0; i < width; i++) {
              float expected = (float) (get(x, t, h, i) + get(y, t, h, i));
              Views.assertNear("sum", expected, get(sum, t, h, i), 0);
            }
          }
        }
        Views.assertGapsUntouched(sum, tokens);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void decayGateIsRightToAFewUnits(KernelSet set) {
    Elementwise elementwise = set.open().elementwise();
    Random random = new Random(3);
    for (int heads : WIDTHS) {
      for (int tokens : TOKENS) {
        checkDecayGate(elementwise, random, tokens, heads);
      }
    }
  }

  static void checkDecayGate(Elementwise elementwise, Random random, int tokens, int heads) {
    DecayGateWeights weights =
        DecayGateWeights.fromLog(Values.random(random, heads), Values.random(random, heads));
    TokenTensor a = wide(random, tokens, 1, heads);
    TokenTensor g = Views.blank(tokens, 1, heads);
    elementwise.decayGate(weights, a, g, tokens);
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < heads; h++) {
        double x = get(a, t, 0, h) + weights.bias()[h];
        double softplus = x > 40 ? x : Math.log1p(Math.exp(x));
        double expected = weights.rate()[h] * softplus;
        // The sum a + bias is rounded, which for negative x changes e^x by |x| units.
        double units = 10 + (x < 0 ? -x : 0);
        Views.assertNear("decay gate", expected, get(g, t, 0, h), few(expected, units));
      }
    }
    Views.assertGapsUntouched(g, tokens);
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void sizesThatDoNotFitAreRefused(KernelSet set) {
    Elementwise elementwise = set.open().elementwise();
    TokenTensor good = Views.blank(3, 1, 6);
    TokenTensor bad = Views.blank(3, 1, 7);
    DecayGateWeights weights = new DecayGateWeights(new float[6], new float[6]);
    Activation silu = Activation.SILU;
    refused(() -> elementwise.apply(silu, good, bad, 3), "7");
    refused(() -> elementwise.apply(silu, good, good, 9), "9");
    refused(() -> elementwise.gate(silu, bad, good, good, 3), "7");
    refused(() -> elementwise.gate(silu, good, good, bad, 3), "7");
    refused(() -> elementwise.gate(silu, good, bad, good, 3), "7");
    refused(() -> elementwise.gateTokens(silu, bad, good, good, 3), "7");
    refused(() -> elementwise.gateTokens(silu, Views.blank(3, 1, 1), good, bad, 3), "7");
    refused(() -> elementwise.scale(2, good, bad, 3), "7");
    refused(() -> elementwise.add(good, bad, 3), "7");
    refused(() -> elementwise.decayGate(weights, bad, good, 3), "7");
    refused(() -> elementwise.decayGate(weights, good, bad, 3), "7");
  }

  // Numbers of all sizes, among them those where an exponential overflows or vanishes.
  private static TokenTensor wide(Random random, int tokens, int heads, int width) {
    TokenTensor view = Views.random(random, tokens, heads, width, 0, 6);
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < heads; h++) {
        int i = random.nextInt(width);
        view.data()[view.at(t, h) + i] = SPECIAL[random.nextInt(SPECIAL.length)];
      }
    }
    return view;
  }
}
