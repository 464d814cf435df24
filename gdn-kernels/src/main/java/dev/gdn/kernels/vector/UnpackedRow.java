package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.QUARTER_BYTES;
import static dev.gdn.kernels.vector.MatrixLanes.TWO_FROM_BYTES;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * A row of blocks taken apart: weight i is {@code scales[g] * quanta[i] + offsets[g]}, where g is
 * the group of i. For every type but Q4_K, Q5_K, Q2_K, Q4_1 and Q5_1 the offset is -0, which
 * changes no number. Quanta and scales are small enough for the products to be exact, so that a
 * fused addition gives what two operations give.
 */
final class UnpackedRow {
  private static final int GROUP = 16;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, MatrixLanes.ORDER);

  private final int shift;
  private final byte[] eight = new byte[QUARTER_BYTES.length()];
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
      scales = new float[(count >> shift) + LENGTH];
      offsets = new float[scales.length];
      Arrays.fill(offsets, -0f);
    }
  }

  byte[] quanta() {
    return quanta;
  }

  /** Sets the scale of a group. */
  void setScale(int group, float scale) {
    scales[group] = scale;
  }

  /** Sets the offset of a group. */
  void setOffset(int group, float offset) {
    offsets[group] = offset;
  }

  /**
   * Sets the scales of eight groups to {@code unit} times a signed byte.
   *
   * @param bytes the first of them in the lowest bits
   */
  void setScales(int group, long bytes, float unit) {
    multiply(bytes, unit, scales, group);
  }

  /** Sets the offsets of eight groups likewise. */
  void setOffsets(int group, long bytes, float unit) {
    multiply(bytes, unit, offsets, group);
  }

  // On the widest machines eight numbers fill half a vector, whose rest is written over by the
  // groups that follow. One of eight lanes would be of another shape than all others:
  // FloatShapeTest.
  private void multiply(long bytes, float unit, float[] target, int at) {
    LONG.set(eight, 0, bytes);
    ByteVector factors = ByteVector.fromArray(QUARTER_BYTES, eight, 0);
    ((FloatVector) factors.convertShape(VectorOperators.B2F, FLOATS, 0))
        .mul(unit)
        .intoArray(target, at);
    if (TWO_FROM_BYTES) {
      ((FloatVector) factors.convertShape(VectorOperators.B2F, FLOATS, 1))
          .mul(unit)
          .intoArray(target, at + LENGTH);
    }
  }

  /** The first {@code count} weights. */
  void toFloats(float[] target, int offset, int count) {
    for (int i = 0; i < count; i += GROUP) {
      FloatVector scale = FloatVector.broadcast(FLOATS, scales[i >> shift]);
      FloatVector added = FloatVector.broadcast(FLOATS, offsets[i >> shift]);
      for (int j = 0; j < GROUP; j += QUARTER_BYTES.length()) {
        ByteVector q = ByteVector.fromArray(QUARTER_BYTES, quanta, i + j);
        ((FloatVector) q.convertShape(VectorOperators.B2F, FLOATS, 0))
            .fma(scale, added)
            .intoArray(target, offset + i + j);
        if (TWO_FROM_BYTES) {
          ((FloatVector) q.convertShape(VectorOperators.B2F, FLOATS, 1))
              .fma(scale, added)
              .intoArray(target, offset + i + j + LENGTH);
        }
      }
    }
  }

  /**
   * The dot product of the first {@code count} weights with a token from {@code from} on, in lanes
   * as {@link StoredRows#dot} leaves it.
   */
  void dot(float[] x, int from, int count, float[] lanes, int to) {
    if (shift == 4) {
      sumGroupsOf16(x, from, count / 16, lanes, to);
    } else {
      sumGroupsOf32(x, from, count / 32, lanes, to);
    }
  }

  private void sumGroupsOf32(float[] x, int from, int groups, float[] lanes, int to) {
    FloatVector even = FloatVector.zero(FLOATS);
    FloatVector odd = even;
    for (int g = 0; g < groups; g++) {
      FloatVector scale = FloatVector.broadcast(FLOATS, scales[g]);
      FloatVector added = FloatVector.broadcast(FLOATS, offsets[g]);
      int i = 32 * g;
      for (int j = 0; j < 16; j += QUARTER_BYTES.length()) {
        ByteVector p = ByteVector.fromArray(QUARTER_BYTES, quanta, i + j);
        ByteVector q = ByteVector.fromArray(QUARTER_BYTES, quanta, i + j + 16);
        FloatVector v =
            ((FloatVector) p.convertShape(VectorOperators.B2F, FLOATS, 0)).fma(scale, added);
        FloatVector w =
            ((FloatVector) q.convertShape(VectorOperators.B2F, FLOATS, 0)).fma(scale, added);
        even = v.fma(FloatVector.fromArray(FLOATS, x, from + i + j), even);
        odd = w.fma(FloatVector.fromArray(FLOATS, x, from + i + j + 16), odd);
        if (TWO_FROM_BYTES) {
          v = ((FloatVector) p.convertShape(VectorOperators.B2F, FLOATS, 1)).fma(scale, added);
          w = ((FloatVector) q.convertShape(VectorOperators.B2F, FLOATS, 1)).fma(scale, added);
          even = v.fma(FloatVector.fromArray(FLOATS, x, from + i + j + LENGTH), even);
          odd = w.fma(FloatVector.fromArray(FLOATS, x, from + i + j + LENGTH + 16), odd);
        }
      }
    }
    even.add(odd).intoArray(lanes, to);
  }

  // Two groups a step, for their sums do not wait for each other then. No such type has offsets
  // but Q2_K.
  private void sumGroupsOf16(float[] x, int from, int groups, float[] lanes, int to) {
    FloatVector even = FloatVector.zero(FLOATS);
    FloatVector odd = even;
    for (int g = 0; g < groups; g += 2) {
      FloatVector first = FloatVector.broadcast(FLOATS, scales[g]);
      FloatVector second = FloatVector.broadcast(FLOATS, scales[g + 1]);
      FloatVector firstAdded = FloatVector.broadcast(FLOATS, offsets[g]);
      FloatVector secondAdded = FloatVector.broadcast(FLOATS, offsets[g + 1]);
      int i = 16 * g;
      for (int j = 0; j < 16; j += QUARTER_BYTES.length()) {
        ByteVector p = ByteVector.fromArray(QUARTER_BYTES, quanta, i + j);
        ByteVector q = ByteVector.fromArray(QUARTER_BYTES, quanta, i + j + 16);
        FloatVector v =
            ((FloatVector) p.convertShape(VectorOperators.B2F, FLOATS, 0)).fma(first, firstAdded);
        FloatVector w =
            ((FloatVector) q.convertShape(VectorOperators.B2F, FLOATS, 0)).fma(second, secondAdded);
        even = v.fma(FloatVector.fromArray(FLOATS, x, from + i + j), even);
        odd = w.fma(FloatVector.fromArray(FLOATS, x, from + i + j + 16), odd);
        if (TWO_FROM_BYTES) {
          v = ((FloatVector) p.convertShape(VectorOperators.B2F, FLOATS, 1)).fma(first, firstAdded);
          w =
              ((FloatVector) q.convertShape(VectorOperators.B2F, FLOATS, 1))
                  .fma(second, secondAdded);
          even = v.fma(FloatVector.fromArray(FLOATS, x, from + i + j + LENGTH), even);
          odd = w.fma(FloatVector.fromArray(FLOATS, x, from + i + j + LENGTH + 16), odd);
        }
      }
    }
    even.add(odd).intoArray(lanes, to);
  }
}
