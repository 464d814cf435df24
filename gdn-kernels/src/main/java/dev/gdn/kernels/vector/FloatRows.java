package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.ORDER;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;

/** Rows of float32. */
final class FloatRows implements StoredRows {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ORDER);

  @Override
  public void decode(MemorySegment data, long from, float[] target, int offset, int count) {
    MemorySegment.copy(data, FLOAT, from, target, offset, count);
  }

  @Override
  public void dot(
      MemorySegment data, long from, float[] x, int xAt, int count, float[] lanes, int to) {
    data.isMapped(); // see StoredRows
    StoredRows.touch(data, from);
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    int i = 0;
    for (; i <= count - 2 * LENGTH; i += 2 * LENGTH) {
      long stored = from + 4L * i;
      s0 =
          FloatVector.fromMemorySegment(FLOATS, data, stored, ORDER)
              .fma(FloatVector.fromArray(FLOATS, x, xAt + i), s0);
      s1 =
          FloatVector.fromMemorySegment(FLOATS, data, stored + 4 * LENGTH, ORDER)
              .fma(FloatVector.fromArray(FLOATS, x, xAt + i + LENGTH), s1);
    }
    if (i <= count - LENGTH) {
      s0 =
          FloatVector.fromMemorySegment(FLOATS, data, from + 4L * i, ORDER)
              .fma(FloatVector.fromArray(FLOATS, x, xAt + i), s0);
      i += LENGTH;
    }
    s0.add(s1).intoArray(lanes, to);
    for (; i < count; i++) {
      lanes[to] += data.get(FLOAT, from + 4L * i) * x[xAt + i];
    }
  }
}
