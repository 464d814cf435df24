package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.HALF_SHORTS;
import static dev.gdn.kernels.vector.MatrixLanes.INTS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.QUARTER_BYTES;
import static dev.gdn.kernels.vector.MatrixLanes.TWO_FROM_BYTES;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/**
 * The dot product of one row with one token. One row at a time reads memory in its order; two rows
 * side by side ran at a third of the speed. Sums side by side hide the latency of the additions,
 * whose order is fixed.
 *
 * <p>A loop stands here whole: C2 does not inline a method that it has compiled to much code of its
 * own before, and a vector that crosses a call is put on the heap.
 */
final class RowDot {
  private static final int BLOCK_BYTES = BLOCK + 2;

  private final float[] lanes = new float[LENGTH];

  /** A row of float32 on the heap. */
  float floats(float[] row, int at, float[] x, int from, int count) {
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    int i = 0;
    for (; i <= count - 4 * LENGTH; i += 4 * LENGTH) {
      s0 = vector(row, at + i).fma(vector(x, from + i), s0);
      s1 = vector(row, at + i + LENGTH).fma(vector(x, from + i + LENGTH), s1);
      s2 = vector(row, at + i + 2 * LENGTH).fma(vector(x, from + i + 2 * LENGTH), s2);
      s3 = vector(row, at + i + 3 * LENGTH).fma(vector(x, from + i + 3 * LENGTH), s3);
    }
    for (; i <= count - LENGTH; i += LENGTH) {
      s0 = vector(row, at + i).fma(vector(x, from + i), s0);
    }
    s0.add(s1).add(s2.add(s3)).intoArray(lanes, 0);
    float sum = sum(lanes);
    for (; i < count; i++) {
      sum += row[at + i] * x[from + i];
    }
    return sum;
  }

  /** A row of upper halves of float32, stored from byte {@code at} on. */
  float brainFloats(MemorySegment data, long at, float[] x, int from, int count) {
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    int i = 0;
    for (; i <= count - 2 * LENGTH; i += 2 * LENGTH) {
      long stored = at + 2L * i;
      s0 = brainVector(data, stored).fma(vector(x, from + i), s0);
      s1 = brainVector(data, stored + 2 * LENGTH).fma(vector(x, from + i + LENGTH), s1);
    }
    if (i <= count - LENGTH) {
      s0 = brainVector(data, at + 2L * i).fma(vector(x, from + i), s0);
      i += LENGTH;
    }
    s0.add(s1).intoArray(lanes, 0);
    float sum = sum(lanes);
    for (; i < count; i++) {
      sum += WeightDecoder.brain(data, at + 2L * i) * x[from + i];
    }
    return sum;
  }

  /** A row of GGUF Q8_0 blocks, stored from byte {@code at} on. */
  float bytes(MemorySegment data, long at, float[] x, int from, int count) {
    FloatVector sum = FloatVector.zero(FLOATS);
    for (int b = 0; b < count / BLOCK; b++) {
      long stored = at + (long) b * BLOCK_BYTES;
      int i = from + b * BLOCK;
      // The first product is not added to zero: that costs a tenth of the speed.
      ByteVector first = ByteVector.fromMemorySegment(QUARTER_BYTES, data, stored + 2, ORDER);
      FloatVector block = ((FloatVector) first.castShape(FLOATS, 0)).mul(vector(x, i));
      if (TWO_FROM_BYTES) {
        block = ((FloatVector) first.castShape(FLOATS, 1)).fma(vector(x, i + LENGTH), block);
      }
      for (int j = QUARTER_BYTES.length(); j < BLOCK; j += QUARTER_BYTES.length()) {
        ByteVector q = ByteVector.fromMemorySegment(QUARTER_BYTES, data, stored + 2 + j, ORDER);
        block = ((FloatVector) q.castShape(FLOATS, 0)).fma(vector(x, i + j), block);
        if (TWO_FROM_BYTES) {
          block = ((FloatVector) q.castShape(FLOATS, 1)).fma(vector(x, i + j + LENGTH), block);
        }
      }
      sum = block.fma(FloatVector.broadcast(FLOATS, WeightDecoder.half(data, stored)), sum);
    }
    sum.intoArray(lanes, 0);
    return sum(lanes);
  }

  private static FloatVector brainVector(MemorySegment data, long at) {
    return ((IntVector)
            ShortVector.fromMemorySegment(HALF_SHORTS, data, at, ORDER).castShape(INTS, 0))
        .lanewise(VectorOperators.LSHL, 16)
        .reinterpretAsFloats();
  }

  private static FloatVector vector(float[] array, int from) {
    return FloatVector.fromArray(FLOATS, array, from);
  }

  /** Adds up some lanes, a multiple of 4; reduceLanes may do it in another order once compiled. */
  static float sum(float[] lanes) {
    float sum = 0;
    for (int i = 0; i < lanes.length; i += 4) {
      sum += (lanes[i] + lanes[i + 1]) + (lanes[i + 2] + lanes[i + 3]);
    }
    return sum;
  }
}
