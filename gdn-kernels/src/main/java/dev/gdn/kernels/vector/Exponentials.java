package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.F;
import static dev.gdn.kernels.vector.VectorMath.LN2_HIGH;
import static dev.gdn.kernels.vector.VectorMath.LN2_LOW;
import static dev.gdn.kernels.vector.VectorMath.LOG2_E;
import static dev.gdn.kernels.vector.VectorMath.ROUND;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * e^x of decays and softmax weights, in place.
 *
 * <p>Two vectors go through the function of {@link VectorMath} side by side, for each of its steps
 * waits for the last. It is written out: C2 inlines methods other than the Vector API's own up to a
 * limit only, and beyond it hands vectors over on the heap.
 */
final class Exponentials {
  // e^x is a normal number from here on.
  private static final float LOWEST_NORMAL = -87.3f;

  private Exponentials() {}

  /**
   * e^x for x ≤ 0. A result below the smallest normal number becomes 0, and what is above 0 counts
   * as 0.
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
}
