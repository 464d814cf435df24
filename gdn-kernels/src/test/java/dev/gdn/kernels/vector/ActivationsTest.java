package dev.gdn.kernels.vector;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.kernel.Activation;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** The functions over the whole range of float32, infinities, NaN and denormal results included. */
class ActivationsTest {
  // Odd, so that all exponents meet all kinds of fractions.
  private static final int STRIDE = 50_021;

  @FunctionalInterface
  private interface RowFunction {
    void apply(float[] x, float[] y, int n);
  }

  private final Activations activations = new Activations();

  @Test
  void expOfMagnitudesIsRightToTwoUnits() {
    check(
        "2^64 exp(-|x|)",
        x -> Math.exp(-Math.min(Math.abs(x), -Exponentials.LOWEST)) * 0x1p64,
        (x, y, n) -> Exponentials.ofMagnitudes(x, 0, y, 0, n),
        2);
  }

  @Test
  void sigmoidIsRightToThreeUnits() {
    check(
        "sigmoid",
        x -> 1 / (1 + Math.exp(-x)),
        (x, y, n) -> activations.apply(Activation.SIGMOID, x, 0, y, 0, n),
        3);
  }

  @Test
  void siluIsRightToFourUnits() {
    check(
        "silu",
        x -> x == Double.NEGATIVE_INFINITY ? 0 : x / (1 + Math.exp(-x)),
        (x, y, n) -> activations.apply(Activation.SILU, x, 0, y, 0, n),
        4);
  }

  @Test
  void softplusIsRightToFourUnits() {
    check(
        "softplus",
        x -> Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))),
        (x, y, n) -> activations.softplus(x, 0, y, 0, n),
        4);
  }

  @Test
  void expOfNegativeIsRightToTwoUnitsOrZero() {
    float[] x = new float[3 * Lanes.COUNT];
    for (float value = 0; value > -200; value = 1.001f * value - 0.01f) {
      Arrays.fill(x, value);
      Exponentials.ofNegative(x, 0, Lanes.COUNT, 3);
      double expected = Math.exp(value);
      for (float result : x) {
        assertTrue(
            near(expected, result, 2) || expected < 1.3 * Float.MIN_NORMAL && result == 0,
            "exp of %s: expected %s, found %s".formatted(value, expected, result));
      }
    }
    x[0] = Float.NEGATIVE_INFINITY;
    Exponentials.ofNegative(x, 0, Lanes.COUNT, 1);
    assertTrue(x[0] == 0, "exp of minus infinity: " + x[0]);
  }

  private static void check(
      String name, DoubleUnaryOperator exact, RowFunction function, int units) {
    float[] x = new float[Lanes.COUNT];
    float[] y = new float[Lanes.COUNT];
    int lanes = 0;
    for (long bits = Integer.MIN_VALUE; bits <= Integer.MAX_VALUE; bits += STRIDE) {
      x[lanes++] = Float.intBitsToFloat((int) bits);
      if (lanes == x.length) {
        lanes = 0;
        check(name, exact, function, units, x, y);
      }
    }
    float[] special = {
      0,
      -0f,
      Float.NaN,
      Float.POSITIVE_INFINITY,
      Float.NEGATIVE_INFINITY,
      Float.MIN_VALUE,
      -87.4f,
      -103.9f,
      -104,
      -110,
      88.72f,
      88.73f,
      89,
      104
    };
    for (float value : special) {
      Arrays.fill(x, value);
      check(name, exact, function, units, x, y);
    }
  }

  private static void check(
      String name,
      DoubleUnaryOperator exact,
      RowFunction function,
      int units,
      float[] x,
      float[] y) {
    function.apply(x, y, x.length);
    for (int i = 0; i < x.length; i++) {
      double expected = exact.applyAsDouble(x[i]);
      assertTrue(
          near(expected, y[i], units),
          "%s of %s: expected %s, found %s".formatted(name, x[i], expected, y[i]));
    }
  }

  private static boolean near(double expected, float found, int units) {
    float rounded = (float) expected;
    if (Float.isNaN(rounded) || Float.isInfinite(rounded)) {
      return Float.compare(rounded, found) == 0;
    }
    return Math.abs(expected - found) <= units * (double) Math.ulp(rounded);
  }
}
