package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.ROWS;
import static dev.gdn.kernels.vector.GroupLanes.WIDTH;
import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.QUARTER_BYTES;
import static dev.gdn.kernels.vector.MatrixLanes.TWO_FROM_BYTES;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;

/**
 * A block of 256 columns of a group of rows, taken apart: the weight of row r in column c is {@code
 * scales[c / span, r] * quanta[c, r] - minima[c / span, r]}. Quanta and scales are small enough for
 * the products to be exact.
 */
final class UnpackedGroup {
  /** Columns of a block. */
  static final int COLUMNS = 256;

  private static final int MOST_SPANS = 16;

  private final int span;
  private final boolean shifted;
  private final byte[] quanta = new byte[COLUMNS * ROWS];
  private final byte[] factors = new byte[2 * MOST_SPANS * ROWS];
  private final float[] units = new float[ROWS];
  private final float[] scales;
  private final float[] minima;

  /**
   * @param span columns that share a scale
   * @param shifted whether the type has minima
   */
  UnpackedGroup(int span, boolean shifted) {
    this.span = span;
    this.shifted = shifted;
    this.scales = new float[COLUMNS / span * ROWS];
    this.minima = new float[COLUMNS / span * ROWS];
  }

  /** {@code [256, ROWS]}. */
  byte[] quanta() {
    return quanta;
  }

  /**
   * Scratch for small integers that make scales and minima, {@code [spans, ROWS]}: first those of
   * the scales, then those of the minima.
   */
  byte[] factors() {
    return factors;
  }

  /**
   * Sets all scales to their factor times the row's unit.
   *
   * @param from where the units stand in the data, a binary16 for each row
   */
  void setScales(byte[] block, int from) {
    GroupLanes.halves(block, from, units, 0);
    multiply(0, scales);
  }

  /** Sets all minima likewise. */
  void setMinima(byte[] block, int from) {
    GroupLanes.halves(block, from, units, 0);
    multiply(COLUMNS / span * ROWS, minima);
  }

  private void multiply(int from, float[] target) {
    for (int g = 0; g < COLUMNS / span * ROWS; g += ROWS) {
      for (int row = 0; row < ROWS; row += WIDTH) {
        floats0(factors, from + g + row)
            .mul(FloatVector.fromArray(FLOATS, units, row))
            .intoArray(target, g + row);
        floats1(factors, from + g + row)
            .mul(FloatVector.fromArray(FLOATS, units, row + LENGTH))
            .intoArray(target, g + row + LENGTH);
      }
    }
  }

  /**
   * Multiplies the block with a token.
   *
   * @param sums of the token over each span from {@code sumsAt} on
   * @param y {@code ROWS} products from {@code to} on; the block's are added
   */
  void addProducts(float[] x, int xAt, float[] sums, int sumsAt, float[] y, int to) {
    for (int row = 0; row < ROWS; row += WIDTH) {
      addProducts(row, x, xAt, y, to + row);
      if (shifted) {
        subtractMinima(row, sums, sumsAt, y, to + row);
      }
    }
  }

  private void addProducts(int row, float[] x, int xAt, float[] y, int to) {
    FloatVector s0 = FloatVector.fromArray(FLOATS, y, to);
    FloatVector s1 = FloatVector.fromArray(FLOATS, y, to + LENGTH);
    for (int g = 0; g < COLUMNS / span; g++) {
      FloatVector even0 = FloatVector.zero(FLOATS);
      FloatVector even1 = even0;
      FloatVector odd0 = even0;
      FloatVector odd1 = even0;
      for (int j = 0; j < span; j += 2) {
        int q = (g * span + j) * ROWS + row;
        FloatVector token = FloatVector.broadcast(FLOATS, x[xAt + g * span + j]);
        even0 = floats0(quanta, q).fma(token, even0);
        even1 = floats1(quanta, q).fma(token, even1);
        token = FloatVector.broadcast(FLOATS, x[xAt + g * span + j + 1]);
        odd0 = floats0(quanta, q + ROWS).fma(token, odd0);
        odd1 = floats1(quanta, q + ROWS).fma(token, odd1);
      }
      s0 = even0.add(odd0).fma(FloatVector.fromArray(FLOATS, scales, g * ROWS + row), s0);
      s1 = even1.add(odd1).fma(FloatVector.fromArray(FLOATS, scales, g * ROWS + row + LENGTH), s1);
    }
    s0.intoArray(y, to);
    s1.intoArray(y, to + LENGTH);
  }

  private void subtractMinima(int row, float[] sums, int sumsAt, float[] y, int to) {
    FloatVector s0 = FloatVector.fromArray(FLOATS, y, to);
    FloatVector s1 = FloatVector.fromArray(FLOATS, y, to + LENGTH);
    for (int g = 0; g < COLUMNS / span; g++) {
      FloatVector sum = FloatVector.broadcast(FLOATS, -sums[sumsAt + g]);
      s0 = FloatVector.fromArray(FLOATS, minima, g * ROWS + row).fma(sum, s0);
      s1 = FloatVector.fromArray(FLOATS, minima, g * ROWS + row + LENGTH).fma(sum, s1);
    }
    s0.intoArray(y, to);
    s1.intoArray(y, to + LENGTH);
  }

  /** The weights of {@code WIDTH} rows from {@code row} on, {@code [256, WIDTH]}. */
  void toFloats(int row, float[] target, int to) {
    for (int g = 0; g < COLUMNS / span; g++) {
      FloatVector scale0 = FloatVector.fromArray(FLOATS, scales, g * ROWS + row);
      FloatVector scale1 = FloatVector.fromArray(FLOATS, scales, g * ROWS + row + LENGTH);
      FloatVector minimum0 = FloatVector.fromArray(FLOATS, minima, g * ROWS + row);
      FloatVector minimum1 = FloatVector.fromArray(FLOATS, minima, g * ROWS + row + LENGTH);
      for (int j = g * span; j < (g + 1) * span; j++) {
        floats0(quanta, j * ROWS + row).mul(scale0).sub(minimum0).intoArray(target, to + j * WIDTH);
        floats1(quanta, j * ROWS + row)
            .mul(scale1)
            .sub(minimum1)
            .intoArray(target, to + j * WIDTH + LENGTH);
      }
    }
  }

  /** The first half of the rows that are multiplied at the same time. */
  private static FloatVector floats0(byte[] bytes, int at) {
    return (FloatVector) ByteVector.fromArray(QUARTER_BYTES, bytes, at).castShape(FLOATS, 0);
  }

  /** The second half of them. */
  private static FloatVector floats1(byte[] bytes, int at) {
    return TWO_FROM_BYTES
        ? (FloatVector) ByteVector.fromArray(QUARTER_BYTES, bytes, at).castShape(FLOATS, 1)
        : floats0(bytes, at + LENGTH);
  }
}
