package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.F;

import jdk.incubator.vector.FloatVector;

/** e^x in place. A loop of its own, so that C2 compiles it once and calls it. */
final class Exponentials {
  private Exponentials() {}

  /**
   * e^x, with x ≤ 0, for {@code count} vectors, one every {@code step} elements.
   *
   * @see VectorMath#expOfNegative
   */
  static void ofNegative(float[] x, int at, int step, int count) {
    for (int i = 0; i < count; i++) {
      int here = at + i * step;
      VectorMath.expOfNegative(FloatVector.fromArray(F, x, here)).intoArray(x, here);
    }
  }
}
