package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;

import dev.gdn.core.kernel.Activation;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Activations of a row of numbers, to a few ulp over the whole range: denormal results, infinities
 * and NaN included. The result may replace an operand.
 *
 * <p>A block of the row at a time goes through one short loop after another, with what is between
 * them in the scratch of one worker: see {@link Exponentials} for the reason.
 */
final class Activations {
  private static final int BLOCK = 256;
  private static final float UNSHIFT = 0x1p-64f;

  private final float[] exponentials = new float[BLOCK];
  private final float[] factors = new float[BLOCK];

  /** y = f(x) for {@code n} values. */
  void apply(Activation f, float[] x, int xAt, float[] y, int yAt, int n) {
    if (f == Activation.IDENTITY) {
      System.arraycopy(x, xAt, y, yAt, n);
      return;
    }
    for (int i = 0; i < n; i += BLOCK) {
      int count = Math.min(BLOCK, n - i);
      Exponentials.ofMagnitudes(x, xAt + i, exponentials, 0, count / COUNT * COUNT);
      if (f == Activation.SILU) {
        silu(x, xAt + i, exponentials, y, yAt + i, count);
      } else {
        sigmoid(x, xAt + i, exponentials, y, yAt + i, count);
      }
    }
  }

  /** f(x) of one value. */
  float apply(Activation f, float x) {
    factors[0] = x;
    apply(f, factors, 0, factors, 0, 1);
    return factors[0];
  }

  /** y = f(gate) · x for {@code n} values. */
  void gate(Activation f, float[] gate, int gateAt, float[] x, int xAt, float[] y, int yAt, int n) {
    for (int i = 0; i < n; i += BLOCK) {
      int count = Math.min(BLOCK, n - i);
      apply(f, gate, gateAt + i, factors, 0, count);
      multiply(factors, x, xAt + i, y, yAt + i, count);
    }
  }

  /** y = ln(1 + e^x) for {@code n} values. */
  void softplus(float[] x, int xAt, float[] y, int yAt, int n) {
    for (int i = 0; i < n; i += BLOCK) {
      int count = Math.min(BLOCK, n - i);
      Exponentials.ofMagnitudes(x, xAt + i, exponentials, 0, count / COUNT * COUNT);
      softplus(x, xAt + i, exponentials, y, yAt + i, count);
    }
  }

  // 1 / (1 + e^-x).
  static void sigmoid(float[] x, int xAt, float[] exp, float[] y, int yAt, int n) {
    int i = 0;
    for (; i <= n - COUNT; i += COUNT) {
      FloatVector v = FloatVector.fromArray(F, x, xAt + i);
      FloatVector e = FloatVector.fromArray(F, exp, i).mul(UNSHIFT);
      FloatVector numerator = e.blend(1f, v.compare(VectorOperators.GE, 0f));
      numerator.div(e.add(1f)).intoArray(y, yAt + i);
    }
    for (; i < n; i++) {
      y[yAt + i] = ScalarMath.sigmoid(x[xAt + i]);
    }
  }

  // x / (1 + e^-x), and its limit −0 at minus infinity. Below 0 it is x e^x / (1 + e^x), whose
  // numerator is formed with e^x · 2^64, for e^x may be denormal where x e^x is not.
  static void silu(float[] x, int xAt, float[] exp, float[] y, int yAt, int n) {
    int i = 0;
    for (; i <= n - COUNT; i += COUNT) {
      FloatVector v = FloatVector.fromArray(F, x, xAt + i);
      FloatVector scaled = FloatVector.fromArray(F, exp, i);
      FloatVector below =
          v.blend(Exponentials.LOWEST, v.compare(VectorOperators.LT, Exponentials.LOWEST));
      below = below.mul(scaled).mul(UNSHIFT);
      FloatVector numerator = below.blend(v, v.compare(VectorOperators.GE, 0f));
      numerator.div(scaled.mul(UNSHIFT).add(1f)).intoArray(y, yAt + i);
    }
    for (; i < n; i++) {
      y[yAt + i] = ScalarMath.silu(x[xAt + i]);
    }
  }

  // max(x, 0) + ln(1 + e^-|x|); the logarithm of 1 + e for e from 0 to 1 is 2 artanh(s) with
  // s = e / (2 + e), at most 1/3.
  private static void softplus(float[] x, int xAt, float[] exp, float[] y, int yAt, int n) {
    int i = 0;
    for (; i <= n - COUNT; i += COUNT) {
      FloatVector v = FloatVector.fromArray(F, x, xAt + i);
      FloatVector e = FloatVector.fromArray(F, exp, i).mul(UNSHIFT);
      FloatVector s = e.div(e.add(2f));
      FloatVector z = s.mul(s);
      FloatVector p = z.fma(2f / 17, 2f / 15);
      p = p.fma(z, FloatVector.broadcast(F, 2f / 13));
      p = p.fma(z, FloatVector.broadcast(F, 2f / 11));
      p = p.fma(z, FloatVector.broadcast(F, 2f / 9));
      p = p.fma(z, FloatVector.broadcast(F, 2f / 7));
      p = p.fma(z, FloatVector.broadcast(F, 2f / 5));
      p = p.fma(z, FloatVector.broadcast(F, 2f / 3));
      FloatVector linear = v.blend(0f, v.compare(VectorOperators.LT, 0f));
      p.mul(z).fma(s, s.add(s)).add(linear).intoArray(y, yAt + i);
    }
    for (; i < n; i++) {
      y[yAt + i] = ScalarMath.softplus(x[xAt + i]);
    }
  }

  static void multiply(float[] factors, float[] x, int xAt, float[] y, int yAt, int n) {
    int i = 0;
    for (; i <= n - COUNT; i += COUNT) {
      FloatVector factor = FloatVector.fromArray(F, factors, i);
      FloatVector.fromArray(F, x, xAt + i).mul(factor).intoArray(y, yAt + i);
    }
    for (; i < n; i++) {
      y[yAt + i] = factors[i] * x[xAt + i];
    }
  }
}
