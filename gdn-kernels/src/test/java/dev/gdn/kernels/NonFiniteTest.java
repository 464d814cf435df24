package dev.gdn.kernels;

import static dev.gdn.kernels.Views.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.Attention;
import dev.gdn.core.kernel.DecayGateWeights;
import dev.gdn.core.kernel.Elementwise;
import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.kernel.KeyValueType;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What functions make of infinities, NaN and the largest numbers, on every kernel set: their limits
 * where they have one, so that a damaged model computes the same on each.
 */
class NonFiniteTest {
  private static final int TOKENS = 3;
  private static final int[] WIDTHS = {1, 3, 16, 33, 130};
  private static final float[] EXTREME = {
    Float.NaN,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.MAX_VALUE,
    -Float.MAX_VALUE,
    Float.MIN_VALUE,
    -Float.MIN_VALUE
  };

  private static double exact(Activation activation, float x) {
    return activation == Activation.SILU && x == Float.NEGATIVE_INFINITY
        ? 0
        : Values.apply(activation, x);
  }

  private static void assertSame(String what, double expected, double found) {
    float rounded = (float) expected;
    if (Float.isFinite(rounded)) {
      double tolerance = 10 * Views.UNIT * Math.abs(rounded) + Float.MIN_NORMAL;
      assertTrue(
          Math.abs(expected - found) <= tolerance,
          "%s: expected %s, found %s".formatted(what, expected, found));
    } else {
      assertEquals(rounded, (float) found, what);
    }
  }

  /** One extreme at each place among other numbers, or everywhere. */
  private static TokenTensor with(float extreme, int at, int heads, int width) {
    TokenTensor view = Views.random(new Random(at), TOKENS, heads, width);
    for (int t = 0; t < TOKENS; t++) {
      for (int h = 0; h < heads; h++) {
        for (int i = 0; i < width; i++) {
          if (at == width || i == at) {
            view.data()[view.at(t, h) + i] = extreme;
          }
        }
      }
    }
    return view;
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void activationsHaveTheirLimits(KernelSet set) {
    Elementwise elementwise = set.open().elementwise();
    for (Activation activation : Activation.values()) {
      for (float extreme : EXTREME) {
        for (int width : WIDTHS) {
          for (int at = 0; at <= width; at++) {
            checkActivation(elementwise, activation, with(extreme, at, 2, width));
          }
        }
      }
    }
  }

  private static void checkActivation(
      Elementwise elementwise, Activation activation, TokenTensor x) {
    TokenTensor y = Views.blank(TOKENS, 2, x.width());
    elementwise.apply(activation, x, y, TOKENS);
    TokenTensor gated = Views.random(new Random(7), TOKENS, 2, x.width());
    TokenTensor factor = Views.copy(gated);
    elementwise.gate(activation, x, gated, gated, TOKENS);
    for (int t = 0; t < TOKENS; t++) {
      for (int h = 0; h < 2; h++) {
        for (int i = 0; i < x.width(); i++) {
          String what = activation + " of " + get(x, t, h, i);
          double expected = exact(activation, (float) get(x, t, h, i));
          assertSame(what, expected, get(y, t, h, i));
          assertSame(what, expected * get(factor, t, h, i), get(gated, t, h, i));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void soDoesAGateOfAToken(KernelSet set) {
    Elementwise elementwise = set.open().elementwise();
    for (Activation activation : Activation.values()) {
      for (float extreme : EXTREME) {
        TokenTensor y = Views.random(new Random(8), TOKENS, 2, 33);
        TokenTensor x = Views.copy(y);
        elementwise.gateTokens(activation, with(extreme, 0, 1, 1), y, y, TOKENS);
        for (int i = 0; i < 33; i++) {
          double expected = exact(activation, extreme) * get(x, 1, 1, i);
          assertSame(activation + " of " + extreme, expected, get(y, 1, 1, i));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void softplusOfADecayGateHasItsLimits(KernelSet set) {
    Elementwise elementwise = set.open().elementwise();
    for (float extreme : EXTREME) {
      for (int heads : WIDTHS) {
        float[] log = new float[heads];
        DecayGateWeights weights = DecayGateWeights.fromLog(log, log);
        TokenTensor a = with(extreme, heads, 1, heads);
        TokenTensor g = Views.blank(TOKENS, 1, heads);
        elementwise.decayGate(weights, a, g, TOKENS);
        double softplus = Math.max(extreme, 0d) + Math.log1p(Math.exp(-Math.abs((double) extreme)));
        for (int h = 0; h < heads; h++) {
          assertSame("decay gate of " + extreme, -softplus, get(g, 1, 0, h));
        }
      }
    }
  }

  /** Scores are the first numbers of the keys. */
  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void softmaxHasItsLimits(KernelSet set) {
    Attention attention = set.open().attention();
    Random random = new Random(9);
    for (float extreme : EXTREME) {
      for (int tokens : new int[] {1, 2, 17, 70}) {
        for (int width : new int[] {16, 33}) {
          for (int at : new int[] {0, tokens / 2, tokens - 1}) {
            TokenTensor k = Views.random(random, 300 + tokens, 1, width);
            TokenTensor v = Views.random(random, 300 + tokens, 1, width);
            TokenTensor q = Views.random(random, tokens, 2, width, 0, 0);
            for (int t = 0; t < tokens; t++) {
              q.data()[q.at(t, 0)] = 1;
              q.data()[q.at(t, 1)] = 1;
            }
            k.data()[k.at(300 + at, 0)] = extreme;
            checkAttention(attention, q, k, v, tokens);
          }
        }
      }
    }
  }

  private static void checkAttention(
      Attention attention, TokenTensor q, TokenTensor k, TokenTensor v, int tokens) {
    KeyValueCache cache = new KeyValueCache(KeyValueType.F32, 1, k.width(), v.width());
    cache.append(k, v, 300 + tokens);
    TokenTensor o = Views.blank(tokens, 2, v.width());
    attention.attend(q, cache, 1, o, tokens);
    for (int t = 0; t < tokens; t++) {
      double most = Double.NEGATIVE_INFINITY;
      for (int s = 0; s <= 300 + t; s++) {
        most = Math.max(most, get(k, s, 0, 0));
      }
      double sum = 0;
      double first = 0;
      for (int s = 0; s <= 300 + t; s++) {
        double weight = Math.exp(get(k, s, 0, 0) - most);
        sum += weight;
        first += weight * get(v, s, 0, 0);
      }
      double expected = first / sum;
      String what = "attention of token %d, largest score %s".formatted(t, most);
      for (int h = 0; h < 2; h++) {
        double found = get(o, t, h, 0);
        assertTrue(
            Double.isNaN(expected) ? Double.isNaN(found) : Math.abs(expected - found) < 1e-5,
            () -> "%s: expected %s, found %s".formatted(what, expected, found));
      }
    }
  }
}
