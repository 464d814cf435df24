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

/** Rows of binary16. */
final class HalfRows implements StoredRows {
  @Override
  public void decode(MemorySegment data, long from, float[] target, int offset, int count) {
    int i = 0;
    for (; i <= count - LENGTH; i += LENGTH) {
      stored(data, from + 2L * i).intoArray(target, offset + i);
    }
    for (; i < count; i++) {
      target[offset + i] = StoredRows.half(data, from + 2L * i);
    }
  }

  @Override
  public void dot(
      MemorySegment data, long from, float[] x, int xAt, int count, float[] lanes, int to) {
    FloatVector sum = FloatVector.zero(FLOATS);
    int i = 0;
    for (; i <= count - LENGTH; i += LENGTH) {
      sum = stored(data, from + 2L * i).fma(FloatVector.fromArray(FLOATS, x, xAt + i), sum);
    }
    sum.intoArray(lanes, to);
    for (; i < count; i++) {
      lanes[to] += StoredRows.half(data, from + 2L * i) * x[xAt + i];
    }
  }

  private static FloatVector stored(MemorySegment data, long at) {
    data.isMapped(); // see StoredRows
    StoredRows.touch(data, at);
    IntVector half =
        (IntVector)
            ShortVector.fromMemorySegment(HALF_SHORTS, data, at, ORDER)
                .convertShape(VectorOperators.S2I, INTS, 0);
    // Moved to where a binary32 has its exponent and fraction, a binary16 is 2^112 too small,
    // also where it is subnormal. Infinities and NaN get the exponent they lack.
    IntVector magnitude = half.and(0x7FFF).lanewise(VectorOperators.LSHL, 13);
    IntVector scaled = magnitude.reinterpretAsFloats().mul(0x1p112f).reinterpretAsInts();
    IntVector finite =
        scaled.lanewise(
            VectorOperators.OR, 0x7F800000, magnitude.compare(VectorOperators.UGE, 0x7C00 << 13));
    return finite.or(half.and(0x8000).lanewise(VectorOperators.LSHL, 16)).reinterpretAsFloats();
  }
}
