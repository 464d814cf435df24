package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.HALF_SHORTS;
import static dev.gdn.kernels.vector.MatrixLanes.INTS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.ORDER;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/** Rows of upper halves of float32. */
final class BrainRows implements StoredRows {
  private final float[] lanes = new float[LENGTH];

  @Override
  public void decode(MemorySegment data, long from, float[] target, int offset, int count) {
    StoredRows.touch(data, from);
    int i = 0;
    for (; i <= count - LENGTH; i += LENGTH) {
      ((IntVector)
              ShortVector.fromMemorySegment(HALF_SHORTS, data, from + 2L * i, ORDER)
                  .castShape(INTS, 0))
          .lanewise(VectorOperators.LSHL, 16)
          .reinterpretAsFloats()
          .intoArray(target, offset + i);
    }
    for (; i < count; i++) {
      target[offset + i] = brain(data, from + 2L * i);
    }
  }

  @Override
  public float dot(MemorySegment data, long at, float[] x, int from, int count) {
    StoredRows.touch(data, at);
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    int i = 0;
    // Written out: where rows are short, C2 leaves a helper for the last vector uninlined.
    for (; i <= count - 2 * LENGTH; i += 2 * LENGTH) {
      long stored = at + 2L * i;
      s0 =
          ((IntVector)
                  ShortVector.fromMemorySegment(HALF_SHORTS, data, stored, ORDER)
                      .castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .reinterpretAsFloats()
              .fma(vector(x, from + i), s0);
      s1 =
          ((IntVector)
                  ShortVector.fromMemorySegment(HALF_SHORTS, data, stored + 2 * LENGTH, ORDER)
                      .castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .reinterpretAsFloats()
              .fma(vector(x, from + i + LENGTH), s1);
    }
    if (i <= count - LENGTH) {
      s0 =
          ((IntVector)
                  ShortVector.fromMemorySegment(HALF_SHORTS, data, at + 2L * i, ORDER)
                      .castShape(INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .reinterpretAsFloats()
              .fma(vector(x, from + i), s0);
      i += LENGTH;
    }
    s0.add(s1).intoArray(lanes, 0);
    float sum = RowDot.sum(lanes);
    for (; i < count; i++) {
      sum += brain(data, at + 2L * i) * x[from + i];
    }
    return sum;
  }

  private static FloatVector vector(float[] array, int from) {
    return FloatVector.fromArray(FLOATS, array, from);
  }

  private static float brain(MemorySegment data, long from) {
    return Float.intBitsToFloat(data.get(SHORT, from) << 16);
  }
}
