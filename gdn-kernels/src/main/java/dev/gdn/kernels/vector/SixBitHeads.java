package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.HALF_BYTES;
import static dev.gdn.kernels.vector.GroupLanes.ROWS;
import static dev.gdn.kernels.vector.GroupLanes.WIDTH;
import static dev.gdn.kernels.vector.GroupLanes.WIDTH_BYTES;
import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.SuperGroups.ELEMENTS;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * What a weight of GGUF Q4_K and Q5_K is made from, in groups of rows: it is a·(q − c) + b, where c
 * is the middle of what q can be, and a and b are of each 32 columns.
 */
final class SixBitHeads {
  /** Bytes of the heads of a group's blocks. */
  static final int BYTES = 2 * HALF_BYTES + 12 * ROWS;

  private static final int BLOCKS = ELEMENTS / BLOCK;

  private final float middle;
  private final float[] units = new float[ROWS];
  private final float[] minimumUnits = new float[ROWS];
  private final byte[] scales = new byte[BLOCKS * ROWS];
  private final byte[] minima = new byte[BLOCKS * ROWS];
  private float[] factors = {};
  private float[] offsets = {};

  /**
   * @param middle c
   */
  SixBitHeads(int middle) {
    this.middle = middle;
  }

  /** a, {@code [columns / BLOCK, ROWS]}. */
  float[] factors() {
    return factors;
  }

  /** b, {@code [columns / BLOCK, ROWS]}. */
  float[] offsets() {
    return offsets;
  }

  /** Unpacks those of some columns, from 0 on. */
  void unpack(byte[] data, int head, int columns) {
    int size = columns / BLOCK * ROWS;
    if (factors.length < size) {
      factors = new float[size];
      offsets = new float[size];
    }
    for (int b = 0; b < columns / ELEMENTS; b++) {
      int from = head + b * BYTES;
      GroupLanes.halves(data, from, units, 0);
      GroupLanes.halves(data, from + HALF_BYTES, minimumUnits, 0);
      for (int row = 0; row < ROWS; row += WIDTH) {
        unpackBytes(data, from + 2 * HALF_BYTES + row, row);
        unpackFloats(b * BLOCKS * ROWS, row);
      }
    }
  }

  // The first four scales and minima are the lower bits of a byte each; the others have their upper
  // bits above these, and share four bytes for the lower ones.
  private void unpackBytes(byte[] data, int from, int to) {
    for (int i = 0; i < 4 * ROWS; i += ROWS) {
      ByteVector a = ByteVector.fromArray(WIDTH_BYTES, data, from + i);
      ByteVector b = ByteVector.fromArray(WIDTH_BYTES, data, from + i + 4 * ROWS);
      ByteVector c = ByteVector.fromArray(WIDTH_BYTES, data, from + i + 8 * ROWS);
      a.and((byte) 63).intoArray(scales, to + i);
      b.and((byte) 63).intoArray(minima, to + i);
      ByteVector d = c.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 4).reinterpretAsBytes();
      a = a.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 2).reinterpretAsBytes();
      b = b.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 2).reinterpretAsBytes();
      c.and((byte) 15).or(a.and((byte) 0x30)).intoArray(scales, to + i + 4 * ROWS);
      d.and((byte) 15).or(b.and((byte) 0x30)).intoArray(minima, to + i + 4 * ROWS);
    }
  }

  private void unpackFloats(int to, int row) {
    FloatVector unit0 = FloatVector.fromArray(FLOATS, units, row);
    FloatVector unit1 = FloatVector.fromArray(FLOATS, units, row + LENGTH);
    FloatVector minimum0 = FloatVector.fromArray(FLOATS, minimumUnits, row);
    FloatVector minimum1 = FloatVector.fromArray(FLOATS, minimumUnits, row + LENGTH);
    for (int i = row; i < BLOCKS * ROWS; i += ROWS) {
      ByteVector scale = ByteVector.fromArray(WIDTH_BYTES, scales, i);
      ByteVector minimum = ByteVector.fromArray(WIDTH_BYTES, minima, i);
      FloatVector a0 =
          ((FloatVector) scale.convertShape(VectorOperators.B2F, FLOATS, 0)).mul(unit0);
      FloatVector a1 =
          ((FloatVector) scale.convertShape(VectorOperators.B2F, FLOATS, 1)).mul(unit1);
      a0.intoArray(factors, to + i);
      a1.intoArray(factors, to + i + LENGTH);
      a0.mul(middle)
          .sub(((FloatVector) minimum.convertShape(VectorOperators.B2F, FLOATS, 0)).mul(minimum0))
          .intoArray(offsets, to + i);
      a1.mul(middle)
          .sub(((FloatVector) minimum.convertShape(VectorOperators.B2F, FLOATS, 1)).mul(minimum1))
          .intoArray(offsets, to + i + LENGTH);
    }
  }
}
