package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.QUARTER_BYTES;
import static dev.gdn.kernels.vector.MatrixLanes.TWO_FROM_BYTES;

import java.util.Arrays;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;

/**
 * A row of blocks taken apart: weight i is {@code scales[g] * quanta[i] + offsets[g]}, where g is
 * the group of i. For every type but Q4_K, Q5_K, Q2_K, Q4_1 and Q5_1 the offset is -0, which
 * changes no number. Quanta and scales are small enough for the products to be exact, so that a
 * fused addition gives what two operations give.
 */
final class UnpackedRow {
  private static final int SMALLEST_GROUP = 16;

  private final int shift;
  private final float[] lanes = new float[LENGTH];
  private byte[] quanta = {};
  private float[] scales = {};
  private float[] offsets = {};

  /**
   * @param group elements that share a scale, 16 or 32
   */
  UnpackedRow(int group) {
    this.shift = Integer.numberOfTrailingZeros(group);
  }

  /** Makes room. Offsets are -0 until they are set. */
  void reserve(int count) {
    if (quanta.length < count) {
      quanta = new byte[count];
      scales = new float[count >> shift];
      offsets = new float[count >> shift];
      Arrays.fill(offsets, -0f);
    }
  }

  byte[] quanta() {
    return quanta;
  }

  /** One for each group. */
  float[] scales() {
    return scales;
  }

  /** One for each group. */
  float[] offsets() {
    return offsets;
  }

  /** The first {@code count} weights. */
  void toFloats(float[] target, int offset, int count) {
    for (int i = 0; i < count; i += SMALLEST_GROUP) {
      FloatVector scale = FloatVector.broadcast(FLOATS, scales[i >> shift]);
      FloatVector added = FloatVector.broadcast(FLOATS, offsets[i >> shift]);
      for (int j = i; j < i + SMALLEST_GROUP; j += QUARTER_BYTES.length()) {
        ByteVector q = ByteVector.fromArray(QUARTER_BYTES, quanta, j);
        ((FloatVector) q.castShape(FLOATS, 0)).fma(scale, added).intoArray(target, offset + j);
        if (TWO_FROM_BYTES) {
          ((FloatVector) q.castShape(FLOATS, 1))
              .fma(scale, added)
              .intoArray(target, offset + j + LENGTH);
        }
      }
    }
  }

  /** The dot product of the first {@code count} weights with a token from {@code from} on. */
  float dot(float[] x, int from, int count) {
    FloatVector even = FloatVector.zero(FLOATS);
    FloatVector odd = even;
    for (int i = 0; i < count; i += 2 * SMALLEST_GROUP) {
      FloatVector scale = FloatVector.broadcast(FLOATS, scales[i >> shift]);
      FloatVector added = FloatVector.broadcast(FLOATS, offsets[i >> shift]);
      for (int j = i; j < i + SMALLEST_GROUP; j += QUARTER_BYTES.length()) {
        ByteVector q = ByteVector.fromArray(QUARTER_BYTES, quanta, j);
        FloatVector w = ((FloatVector) q.castShape(FLOATS, 0)).fma(scale, added);
        even = w.fma(FloatVector.fromArray(FLOATS, x, from + j), even);
        if (TWO_FROM_BYTES) {
          w = ((FloatVector) q.castShape(FLOATS, 1)).fma(scale, added);
          even = w.fma(FloatVector.fromArray(FLOATS, x, from + j + LENGTH), even);
        }
      }
      int second = i + SMALLEST_GROUP;
      scale = FloatVector.broadcast(FLOATS, scales[second >> shift]);
      added = FloatVector.broadcast(FLOATS, offsets[second >> shift]);
      for (int j = second; j < second + SMALLEST_GROUP; j += QUARTER_BYTES.length()) {
        ByteVector q = ByteVector.fromArray(QUARTER_BYTES, quanta, j);
        FloatVector w = ((FloatVector) q.castShape(FLOATS, 0)).fma(scale, added);
        odd = w.fma(FloatVector.fromArray(FLOATS, x, from + j), odd);
        if (TWO_FROM_BYTES) {
          w = ((FloatVector) q.castShape(FLOATS, 1)).fma(scale, added);
          odd = w.fma(FloatVector.fromArray(FLOATS, x, from + j + LENGTH), odd);
        }
      }
    }
    even.add(odd).intoArray(lanes, 0);
    return RowDot.sum(lanes);
  }
}
