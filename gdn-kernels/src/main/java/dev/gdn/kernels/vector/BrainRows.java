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
  /** Rows that are read at the same time. */
  static final int TOGETHER = 4;

  /** Longer rows are read faster one by one. */
  private static final int MOST_COLUMNS = 2048;

  @Override
  public void decode(MemorySegment data, long from, float[] target, int offset, int count) {
    data.isMapped(); // see StoredRows
    StoredRows.touch(data, from);
    int i = 0;
    for (; i <= count - LENGTH; i += LENGTH) {
      ((IntVector)
              ShortVector.fromMemorySegment(HALF_SHORTS, data, from + 2L * i, ORDER)
                  .convertShape(VectorOperators.S2I, INTS, 0))
          .lanewise(VectorOperators.LSHL, 16)
          .reinterpretAsFloats()
          .intoArray(target, offset + i);
    }
    for (; i < count; i++) {
      target[offset + i] = brain(data, from + 2L * i);
    }
  }

  @Override
  public void dot(
      MemorySegment data, long at, float[] x, int from, int count, float[] lanes, int to) {
    data.isMapped(); // see StoredRows
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
                      .convertShape(VectorOperators.S2I, INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .reinterpretAsFloats()
              .fma(FloatVector.fromArray(FLOATS, x, from + i), s0);
      s1 =
          ((IntVector)
                  ShortVector.fromMemorySegment(HALF_SHORTS, data, stored + 2 * LENGTH, ORDER)
                      .convertShape(VectorOperators.S2I, INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .reinterpretAsFloats()
              .fma(FloatVector.fromArray(FLOATS, x, from + i + LENGTH), s1);
    }
    if (i <= count - LENGTH) {
      s0 =
          ((IntVector)
                  ShortVector.fromMemorySegment(HALF_SHORTS, data, at + 2L * i, ORDER)
                      .convertShape(VectorOperators.S2I, INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .reinterpretAsFloats()
              .fma(FloatVector.fromArray(FLOATS, x, from + i), s0);
      i += LENGTH;
    }
    s0.add(s1).intoArray(lanes, to);
    for (; i < count; i++) {
      lanes[to] += brain(data, at + 2L * i) * x[from + i];
    }
  }

  /**
   * Four rows at a time where that is faster: more of their bytes are on their way from memory at
   * once than of one row. Each gives what it gives by itself, to the bit.
   */
  @Override
  public void dots(
      MemorySegment data,
      long from,
      long rowBytes,
      int rows,
      float[] x,
      int xAt,
      int count,
      float[] lanes) {
    if (rows % TOGETHER != 0 || count > MOST_COLUMNS || count % (2 * LENGTH) != 0) {
      StoredRows.super.dots(data, from, rowBytes, rows, x, xAt, count, lanes);
      return;
    }
    for (int row = 0; row < rows; row += TOGETHER) {
      dotFour(data, from + row * rowBytes, rowBytes, x, xAt, count, lanes, row * LENGTH);
    }
  }

  private static void dotFour(
      MemorySegment data,
      long at,
      long rowBytes,
      float[] x,
      int from,
      int count,
      float[] lanes,
      int to) {
    if (count == 0) {
      return;
    }
    data.isMapped(); // see StoredRows
    StoredRows.touch(data, at);
    FloatVector a0 = FloatVector.zero(FLOATS);
    FloatVector a1 = a0;
    FloatVector b0 = a0;
    FloatVector b1 = a0;
    FloatVector c0 = a0;
    FloatVector c1 = a0;
    FloatVector d0 = a0;
    FloatVector d1 = a0;
    for (int i = 0; i < count; i += 2 * LENGTH) {
      long a = at + 2L * i;
      long b = a + rowBytes;
      long c = b + rowBytes;
      long d = c + rowBytes;
      FloatVector x0 = FloatVector.fromArray(FLOATS, x, from + i);
      FloatVector x1 = FloatVector.fromArray(FLOATS, x, from + i + LENGTH);
      a0 =
          ((IntVector)
                  ShortVector.fromMemorySegment(HALF_SHORTS, data, a, ORDER)
                      .convertShape(VectorOperators.S2I, INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .reinterpretAsFloats()
              .fma(x0, a0);
      a1 =
          ((IntVector)
                  ShortVector.fromMemorySegment(HALF_SHORTS, data, a + 2 * LENGTH, ORDER)
                      .convertShape(VectorOperators.S2I, INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .reinterpretAsFloats()
              .fma(x1, a1);
      b0 =
          ((IntVector)
                  ShortVector.fromMemorySegment(HALF_SHORTS, data, b, ORDER)
                      .convertShape(VectorOperators.S2I, INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .reinterpretAsFloats()
              .fma(x0, b0);
      b1 =
          ((IntVector)
                  ShortVector.fromMemorySegment(HALF_SHORTS, data, b + 2 * LENGTH, ORDER)
                      .convertShape(VectorOperators.S2I, INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .reinterpretAsFloats()
              .fma(x1, b1);
      c0 =
          ((IntVector)
                  ShortVector.fromMemorySegment(HALF_SHORTS, data, c, ORDER)
                      .convertShape(VectorOperators.S2I, INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .reinterpretAsFloats()
              .fma(x0, c0);
      c1 =
          ((IntVector)
                  ShortVector.fromMemorySegment(HALF_SHORTS, data, c + 2 * LENGTH, ORDER)
                      .convertShape(VectorOperators.S2I, INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .reinterpretAsFloats()
              .fma(x1, c1);
      d0 =
          ((IntVector)
                  ShortVector.fromMemorySegment(HALF_SHORTS, data, d, ORDER)
                      .convertShape(VectorOperators.S2I, INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .reinterpretAsFloats()
              .fma(x0, d0);
      d1 =
          ((IntVector)
                  ShortVector.fromMemorySegment(HALF_SHORTS, data, d + 2 * LENGTH, ORDER)
                      .convertShape(VectorOperators.S2I, INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .reinterpretAsFloats()
              .fma(x1, d1);
    }
    a0.add(a1).intoArray(lanes, to);
    b0.add(b1).intoArray(lanes, to + LENGTH);
    c0.add(c1).intoArray(lanes, to + 2 * LENGTH);
    d0.add(d1).intoArray(lanes, to + 3 * LENGTH);
  }

  private static float brain(MemorySegment data, long from) {
    return Float.intBitsToFloat(data.get(SHORT, from) << 16);
  }
}
