package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.INTS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.QUARTER_BYTES;
import static dev.gdn.kernels.vector.MatrixLanes.TWO_FROM_BYTES;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/** Rows of blocks of 32 numbers in E4M3 with a binary32 scale. */
final class Float8Rows implements StoredRows {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ORDER);
  private static final int SCALE_BYTES = 4;
  private static final int BLOCK_BYTES = SCALE_BYTES + BLOCK;

  @Override
  public void decode(MemorySegment data, long from, float[] target, int offset, int count) {
    data.isMapped(); // see StoredRows
    for (int i = 0; i < count; i += BLOCK, from += BLOCK_BYTES) {
      FloatVector scale = FloatVector.broadcast(FLOATS, data.get(FLOAT, from));
      for (int j = 0; j < BLOCK; j += QUARTER_BYTES.length()) {
        ByteVector codes =
            ByteVector.fromMemorySegment(QUARTER_BYTES, data, from + SCALE_BYTES + j, ORDER);
        numbers((IntVector) codes.convertShape(VectorOperators.B2I, INTS, 0))
            .mul(scale)
            .intoArray(target, offset + i + j);
        if (TWO_FROM_BYTES) {
          numbers((IntVector) codes.convertShape(VectorOperators.B2I, INTS, 1))
              .mul(scale)
              .intoArray(target, offset + i + j + LENGTH);
        }
      }
    }
  }

  @Override
  public void dot(
      MemorySegment data, long at, float[] x, int from, int count, float[] lanes, int to) {
    data.isMapped(); // see StoredRows
    FloatVector sum = FloatVector.zero(FLOATS);
    for (int b = 0; b < count / BLOCK; b++) {
      long stored = at + (long) b * BLOCK_BYTES;
      int i = from + b * BLOCK;
      FloatVector block = FloatVector.zero(FLOATS);
      for (int j = 0; j < BLOCK; j += QUARTER_BYTES.length()) {
        ByteVector codes =
            ByteVector.fromMemorySegment(QUARTER_BYTES, data, stored + SCALE_BYTES + j, ORDER);
        block =
            numbers((IntVector) codes.convertShape(VectorOperators.B2I, INTS, 0))
                .fma(FloatVector.fromArray(FLOATS, x, i + j), block);
        if (TWO_FROM_BYTES) {
          block =
              numbers((IntVector) codes.convertShape(VectorOperators.B2I, INTS, 1))
                  .fma(FloatVector.fromArray(FLOATS, x, i + j + LENGTH), block);
        }
      }
      sum = block.fma(FloatVector.broadcast(FLOATS, data.get(FLOAT, stored)), sum);
    }
    sum.intoArray(lanes, to);
  }

  private static FloatVector numbers(IntVector codes) {
    // Moved to where a binary32 has its exponent and fraction, a number is 2^120 too small, also
    // where it is subnormal. The one code that is no number gets the exponent of one.
    IntVector magnitude = codes.and(0x7F).lanewise(VectorOperators.LSHL, 20);
    IntVector scaled = magnitude.reinterpretAsFloats().mul(0x1p120f).reinterpretAsInts();
    IntVector checked =
        scaled.lanewise(
            VectorOperators.OR, 0x7FC00000, magnitude.compare(VectorOperators.EQ, 0x7F << 20));
    return checked.or(codes.and(0x80).lanewise(VectorOperators.LSHL, 24)).reinterpretAsFloats();
  }
}
