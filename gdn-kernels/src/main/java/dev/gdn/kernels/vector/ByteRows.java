package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.QUARTER_BYTES;
import static dev.gdn.kernels.vector.MatrixLanes.TWO_FROM_BYTES;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** Rows of GGUF Q8_0 blocks. */
final class ByteRows implements StoredRows {
  private static final int BLOCK_BYTES = BLOCK + 2;

  @Override
  public void decode(MemorySegment data, long from, float[] target, int offset, int count) {
    data.isMapped(); // see StoredRows
    for (int i = 0; i < count; i += BLOCK, from += BLOCK + 2) {
      FloatVector scale =
          FloatVector.broadcast(FLOATS, Float.float16ToFloat(data.get(SHORT, from)));
      for (int j = 0; j < BLOCK; j += QUARTER_BYTES.length()) {
        ByteVector q = ByteVector.fromMemorySegment(QUARTER_BYTES, data, from + 2 + j, ORDER);
        ((FloatVector) q.convertShape(VectorOperators.B2F, FLOATS, 0))
            .mul(scale)
            .intoArray(target, offset + i + j);
        if (TWO_FROM_BYTES) {
          ((FloatVector) q.convertShape(VectorOperators.B2F, FLOATS, 1))
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
    rowDot(data.asSlice(at, (long) count / BLOCK * BLOCK_BYTES), 0, x, from, count, lanes, to);
  }

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
    data.isMapped(); // see StoredRows
    // Offsets from there on are ints: for longs, C2 works out limits of its own before every row.
    MemorySegment some = data.asSlice(from, rows * rowBytes);
    int stride = Math.toIntExact(rowBytes);
    for (int row = 0; row < rows; row++) {
      rowDot(some, row * stride, x, xAt, count, lanes, row * LENGTH);
    }
  }

  private static void rowDot(
      MemorySegment data, int at, float[] x, int from, int count, float[] lanes, int to) {
    data.isMapped(); // see StoredRows
    FloatVector sum = FloatVector.zero(FLOATS);
    for (int b = 0; b < count / BLOCK; b++) {
      int stored = at + b * BLOCK_BYTES;
      int i = from + b * BLOCK;
      // The first product is not added to zero: that costs a tenth of the speed.
      ByteVector first = ByteVector.fromMemorySegment(QUARTER_BYTES, data, stored + 2, ORDER);
      FloatVector block =
          ((FloatVector) first.convertShape(VectorOperators.B2F, FLOATS, 0))
              .mul(FloatVector.fromArray(FLOATS, x, i));
      if (TWO_FROM_BYTES) {
        block =
            ((FloatVector) first.convertShape(VectorOperators.B2F, FLOATS, 1))
                .fma(FloatVector.fromArray(FLOATS, x, i + LENGTH), block);
      }
      for (int j = QUARTER_BYTES.length(); j < BLOCK; j += QUARTER_BYTES.length()) {
        ByteVector q = ByteVector.fromMemorySegment(QUARTER_BYTES, data, stored + 2 + j, ORDER);
        block =
            ((FloatVector) q.convertShape(VectorOperators.B2F, FLOATS, 0))
                .fma(FloatVector.fromArray(FLOATS, x, i + j), block);
        if (TWO_FROM_BYTES) {
          block =
              ((FloatVector) q.convertShape(VectorOperators.B2F, FLOATS, 1))
                  .fma(FloatVector.fromArray(FLOATS, x, i + j + LENGTH), block);
        }
      }
      sum =
          block.fma(
              FloatVector.broadcast(FLOATS, Float.float16ToFloat(data.get(SHORT, stored))), sum);
    }
    sum.intoArray(lanes, to);
  }
}
