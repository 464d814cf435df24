package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * e^x of decays, softmax weights and what activations are made of.
 *
 * <p>With x = n ln 2 + r, |r| ≤ ln 2 / 2, it is 2^n · e^r, the latter by a polynomial (Cephes,
 * expf). Each loop has it written out: C2 inlines methods other than the Vector API's own up to a
 * limit only, and beyond it hands vectors over on the heap.
 */
final class Exponentials {
  /** Power of two in the results of {@link #ofMagnitudes}. */
  static final int SHIFT = 64;

  /** e^x · 2^64 is a normal number from here on, and below it x e^x is 0 in float32. */
  static final float LOWEST = -120f;

  private static final float LOG2_E = 1.44269504f;
  // ln 2 in two parts; the first has few enough bits for a whole multiple of it to be exact.
  private static final float LN2_HIGH = 0.693359375f;
  private static final float LN2_LOW = -2.12194440e-4f;
  // Adding it rounds to a whole number, which then stands in the low bits; the lowest nine of its
  // own are 0. With 127 more, the low bits are the exponent of the power of two.
  private static final float ROUND = 12582912f;
  // e^x is a normal number from here on.
  private static final float LOWEST_NORMAL = -87.3f;

  private Exponentials() {}

  /**
   * e^x for x ≤ 0. A result below the smallest normal number becomes 0, and what is above 0 counts
   * as 0. Two vectors go through it side by side, for each step waits for the last.
   *
   * @param at index of the first of {@code count} vectors, one every {@code step} elements
   */
  static void ofNegative(float[] values, int at, int step, int count) {
    for (int i = 0; i < count; i += 2) {
      int xAt = at + i * step;
      int yAt = at + Math.min(i + 1, count - 1) * step;
      FloatVector x = FloatVector.fromArray(F, values, xAt);
      FloatVector y = FloatVector.fromArray(F, values, yAt);
      x = x.blend(0f, x.compare(VectorOperators.GT, 0f));
      y = y.blend(0f, y.compare(VectorOperators.GT, 0f));
      FloatVector xn = x.fma(LOG2_E, ROUND).sub(ROUND);
      FloatVector yn = y.fma(LOG2_E, ROUND).sub(ROUND);
      FloatVector xr = xn.fma(FloatVector.broadcast(F, -LN2_HIGH), x);
      FloatVector yr = yn.fma(FloatVector.broadcast(F, -LN2_HIGH), y);
      xr = xn.fma(FloatVector.broadcast(F, -LN2_LOW), xr);
      yr = yn.fma(FloatVector.broadcast(F, -LN2_LOW), yr);
      FloatVector xp = xr.fma(1.9875691500e-4f, 1.3981999507e-3f);
      FloatVector yp = yr.fma(1.9875691500e-4f, 1.3981999507e-3f);
      xp = xp.fma(xr, FloatVector.broadcast(F, 8.3334519073e-3f));
      yp = yp.fma(yr, FloatVector.broadcast(F, 8.3334519073e-3f));
      xp = xp.fma(xr, FloatVector.broadcast(F, 4.1665795894e-2f));
      yp = yp.fma(yr, FloatVector.broadcast(F, 4.1665795894e-2f));
      xp = xp.fma(xr, FloatVector.broadcast(F, 1.6666665459e-1f));
      yp = yp.fma(yr, FloatVector.broadcast(F, 1.6666665459e-1f));
      xp = xp.fma(xr, FloatVector.broadcast(F, 5.0000001201e-1f));
      yp = yp.fma(yr, FloatVector.broadcast(F, 5.0000001201e-1f));
      xp = xp.fma(xr.mul(xr), xr).add(1f);
      yp = yp.fma(yr.mul(yr), yr).add(1f);
      IntVector xPower = xn.add(ROUND + 127).reinterpretAsInts();
      xPower = xPower.lanewise(VectorOperators.LSHL, 23);
      xp = xp.mul(xPower.reinterpretAsFloats());
      IntVector yPower = yn.add(ROUND + 127).reinterpretAsInts();
      yPower = yPower.lanewise(VectorOperators.LSHL, 23);
      yp = yp.mul(yPower.reinterpretAsFloats());
      xp.blend(0f, x.compare(VectorOperators.LT, LOWEST_NORMAL)).intoArray(values, xAt);
      yp.blend(0f, y.compare(VectorOperators.LT, LOWEST_NORMAL)).intoArray(values, yAt);
    }
  }

  /**
   * y_i = 2^64 e^(−|x_i|), with what is below {@link #LOWEST} taken as that: the power keeps
   * results normal whose quotients and products may not be.
   *
   * @param n a multiple of {@code COUNT}
   */
  static void ofMagnitudes(float[] x, int xAt, float[] y, int yAt, int n) {
    for (int i = 0; i < n; i += COUNT) {
      FloatVector v = FloatVector.fromArray(F, x, xAt + i).abs().neg();
      v = v.blend(LOWEST, v.compare(VectorOperators.LT, LOWEST));
      FloatVector whole = v.fma(LOG2_E, ROUND).sub(ROUND);
      FloatVector r = whole.fma(FloatVector.broadcast(F, -LN2_HIGH), v);
      r = whole.fma(FloatVector.broadcast(F, -LN2_LOW), r);
      FloatVector p = r.fma(1.9875691500e-4f, 1.3981999507e-3f);
      p = p.fma(r, FloatVector.broadcast(F, 8.3334519073e-3f));
      p = p.fma(r, FloatVector.broadcast(F, 4.1665795894e-2f));
      p = p.fma(r, FloatVector.broadcast(F, 1.6666665459e-1f));
      p = p.fma(r, FloatVector.broadcast(F, 5.0000001201e-1f));
      p = p.fma(r.mul(r), r).add(1f);
      IntVector power = whole.add(ROUND + 127 + SHIFT).reinterpretAsInts();
      power = power.lanewise(VectorOperators.LSHL, 23);
      p.mul(power.reinterpretAsFloats()).intoArray(y, yAt + i);
    }
  }
}
