package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;

import jdk.incubator.vector.FloatVector;

/**
 * The dot product of a decoded row with a token. One row at a time reads memory in its order; two
 * rows side by side ran at a third of the speed. Sums side by side hide the latency of the
 * additions, whose order is fixed.
 */
final class RowDot {
  private RowDot() {}

  /**
   * Of {@code count} elements from {@code at} and {@code from} on, in lanes as {@link
   * StoredRows#dot} leaves it; of none, nothing is done.
   */
  static void floats(float[] row, int at, float[] x, int from, int count, float[] lanes, int to) {
    if (count == 0) {
      return;
    }
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    int i = 0;
    for (; i <= count - 4 * LENGTH; i += 4 * LENGTH) {
      s0 =
          FloatVector.fromArray(FLOATS, row, at + i)
              .fma(FloatVector.fromArray(FLOATS, x, from + i), s0);
      s1 =
          FloatVector.fromArray(FLOATS, row, at + i + LENGTH)
              .fma(FloatVector.fromArray(FLOATS, x, from + i + LENGTH), s1);
      s2 =
          FloatVector.fromArray(FLOATS, row, at + i + 2 * LENGTH)
              .fma(FloatVector.fromArray(FLOATS, x, from + i + 2 * LENGTH), s2);
      s3 =
          FloatVector.fromArray(FLOATS, row, at + i + 3 * LENGTH)
              .fma(FloatVector.fromArray(FLOATS, x, from + i + 3 * LENGTH), s3);
    }
    for (; i <= count - LENGTH; i += LENGTH) {
      s0 =
          FloatVector.fromArray(FLOATS, row, at + i)
              .fma(FloatVector.fromArray(FLOATS, x, from + i), s0);
    }
    s0.add(s1).add(s2.add(s3)).intoArray(lanes, to);
    for (; i < count; i++) {
      lanes[to] += row[at + i] * x[from + i];
    }
  }
}
