package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.INTS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.SHORTS;
import static dev.gdn.kernels.vector.TokenPanels.WIDTH;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/**
 * The two innermost steps of a product of 4-bit weights with many tokens, for six rows and one or
 * two vectors of tokens in 16 bits. The 32 products of a block are no more than 8 · 127 each, so
 * that their sum is exact; it is then scaled and added in float32.
 *
 * <p>The even lanes hold the first half of a panel's tokens, the odd ones the second. Where rows
 * stand in lanes ({@link ShortGroupKernel}), rows and tokens change their parts.
 */
final class ShortTile {
  static final int ROWS = PanelKernel.ROWS;

  /** Rows of the largest tile: see {@link TallShortTile}. */
  static final int MOST_ROWS = PanelKernel.TALL ? 2 * ROWS : ROWS;

  /** Sums of one panel of tokens. */
  static final int HALF = MOST_ROWS * WIDTH;

  /** Sums of one block: two panels. */
  static final int SUMS = 2 * HALF;

  /** What a weight's scale must be multiplied by: sums are read in the upper half of an int. */
  static final float UNIT = 0x1p-16f;

  // See Lanes.VECTOR.
  static final Class<?> VECTOR = SHORTS.vectorType();

  private static final int UPPER_HALF = 0xFFFF0000;

  private ShortTile() {}

  /**
   * Sums every block of every row for two panels of tokens.
   *
   * @param w weights, each twice in one int, row r from {@code w0 + r * wStride} on
   * @param x tokens, two in one int, {@code [blocks, 32, LENGTH]} from {@code x0} and {@code x1} on
   * @param sums {@code [blocks, 2, MOST_ROWS, WIDTH]} from {@code sums0} on
   */
  static void sumTwo(
      int[] w, int w0, int wStride, int[] x, int x0, int x1, int blocks, short[] sums, int sums0) {
    if (blocks == 0) {
      return;
    }
    int w1 = w0 + wStride;
    int w2 = w1 + wStride;
    int w3 = w2 + wStride;
    int w4 = w3 + wStride;
    int w5 = w4 + wStride;
    for (int b = 0; b < blocks; b++) {
      int column = b * BLOCK;
      int left = x0 + column * LENGTH;
      int right = x1 + column * LENGTH;
      ShortVector s00 = ShortVector.zero(SHORTS);
      ShortVector s01 = s00;
      ShortVector s10 = s00;
      ShortVector s11 = s00;
      ShortVector s20 = s00;
      ShortVector s21 = s00;
      ShortVector s30 = s00;
      ShortVector s31 = s00;
      ShortVector s40 = s00;
      ShortVector s41 = s00;
      ShortVector s50 = s00;
      ShortVector s51 = s00;
      for (int k = 0; k < BLOCK; k++) {
        ShortVector t0 = IntVector.fromArray(INTS, x, left + k * LENGTH).reinterpretAsShorts();
        ShortVector t1 = IntVector.fromArray(INTS, x, right + k * LENGTH).reinterpretAsShorts();
        ShortVector weight = IntVector.broadcast(INTS, w[w0 + column + k]).reinterpretAsShorts();
        s00 = weight.mul(t0).add(s00);
        s01 = weight.mul(t1).add(s01);
        weight = IntVector.broadcast(INTS, w[w1 + column + k]).reinterpretAsShorts();
        s10 = weight.mul(t0).add(s10);
        s11 = weight.mul(t1).add(s11);
        weight = IntVector.broadcast(INTS, w[w2 + column + k]).reinterpretAsShorts();
        s20 = weight.mul(t0).add(s20);
        s21 = weight.mul(t1).add(s21);
        weight = IntVector.broadcast(INTS, w[w3 + column + k]).reinterpretAsShorts();
        s30 = weight.mul(t0).add(s30);
        s31 = weight.mul(t1).add(s31);
        weight = IntVector.broadcast(INTS, w[w4 + column + k]).reinterpretAsShorts();
        s40 = weight.mul(t0).add(s40);
        s41 = weight.mul(t1).add(s41);
        weight = IntVector.broadcast(INTS, w[w5 + column + k]).reinterpretAsShorts();
        s50 = weight.mul(t0).add(s50);
        s51 = weight.mul(t1).add(s51);
      }
      int to = sums0 + b * SUMS;
      ((ShortVector) VECTOR.cast(s00)).intoArray(sums, to);
      ((ShortVector) VECTOR.cast(s10)).intoArray(sums, to + 1 * WIDTH);
      ((ShortVector) VECTOR.cast(s20)).intoArray(sums, to + 2 * WIDTH);
      ((ShortVector) VECTOR.cast(s30)).intoArray(sums, to + 3 * WIDTH);
      ((ShortVector) VECTOR.cast(s40)).intoArray(sums, to + 4 * WIDTH);
      ((ShortVector) VECTOR.cast(s50)).intoArray(sums, to + 5 * WIDTH);
      ((ShortVector) VECTOR.cast(s01)).intoArray(sums, to + HALF);
      ((ShortVector) VECTOR.cast(s11)).intoArray(sums, to + HALF + 1 * WIDTH);
      ((ShortVector) VECTOR.cast(s21)).intoArray(sums, to + HALF + 2 * WIDTH);
      ((ShortVector) VECTOR.cast(s31)).intoArray(sums, to + HALF + 3 * WIDTH);
      ((ShortVector) VECTOR.cast(s41)).intoArray(sums, to + HALF + 4 * WIDTH);
      ((ShortVector) VECTOR.cast(s51)).intoArray(sums, to + HALF + 5 * WIDTH);
    }
  }

  /** The same for one panel of tokens: the first half of the sums. */
  static void sumOne(
      int[] w, int w0, int wStride, int[] x, int x0, int blocks, short[] sums, int sums0) {
    if (blocks == 0) {
      return;
    }
    int w1 = w0 + wStride;
    int w2 = w1 + wStride;
    int w3 = w2 + wStride;
    int w4 = w3 + wStride;
    int w5 = w4 + wStride;
    for (int b = 0; b < blocks; b++) {
      int column = b * BLOCK;
      int left = x0 + column * LENGTH;
      ShortVector s0 = ShortVector.zero(SHORTS);
      ShortVector s1 = s0;
      ShortVector s2 = s0;
      ShortVector s3 = s0;
      ShortVector s4 = s0;
      ShortVector s5 = s0;
      for (int k = 0; k < BLOCK; k++) {
        ShortVector t = IntVector.fromArray(INTS, x, left + k * LENGTH).reinterpretAsShorts();
        ShortVector weight = IntVector.broadcast(INTS, w[w0 + column + k]).reinterpretAsShorts();
        s0 = weight.mul(t).add(s0);
        weight = IntVector.broadcast(INTS, w[w1 + column + k]).reinterpretAsShorts();
        s1 = weight.mul(t).add(s1);
        weight = IntVector.broadcast(INTS, w[w2 + column + k]).reinterpretAsShorts();
        s2 = weight.mul(t).add(s2);
        weight = IntVector.broadcast(INTS, w[w3 + column + k]).reinterpretAsShorts();
        s3 = weight.mul(t).add(s3);
        weight = IntVector.broadcast(INTS, w[w4 + column + k]).reinterpretAsShorts();
        s4 = weight.mul(t).add(s4);
        weight = IntVector.broadcast(INTS, w[w5 + column + k]).reinterpretAsShorts();
        s5 = weight.mul(t).add(s5);
      }
      int to = sums0 + b * SUMS;
      ((ShortVector) VECTOR.cast(s0)).intoArray(sums, to);
      ((ShortVector) VECTOR.cast(s1)).intoArray(sums, to + 1 * WIDTH);
      ((ShortVector) VECTOR.cast(s2)).intoArray(sums, to + 2 * WIDTH);
      ((ShortVector) VECTOR.cast(s3)).intoArray(sums, to + 3 * WIDTH);
      ((ShortVector) VECTOR.cast(s4)).intoArray(sums, to + 4 * WIDTH);
      ((ShortVector) VECTOR.cast(s5)).intoArray(sums, to + 5 * WIDTH);
    }
  }

  /**
   * Scales the sums of two neighbouring rows' blocks and adds them.
   *
   * @param sums of block b from {@code from + b * SUMS} on
   * @param w a scale for each block, times {@link #UNIT}; those of the rows from {@code w0} and
   *     {@code w1} on
   * @param x scales of the tokens in their order, {@code [blocks, WIDTH]} from {@code x0} on
   * @param c takes {@code [2, WIDTH]} sums from {@code c0} on
   */
  static void scaleTwo(
      short[] sums,
      int from,
      float[] w,
      int w0,
      int w1,
      float[] x,
      int x0,
      int blocks,
      float[] c,
      int c0) {
    if (blocks == 0) {
      return;
    }
    int c1 = c0 + WIDTH;
    FloatVector left0 = FloatVector.fromArray(FLOATS, c, c0);
    FloatVector right0 = FloatVector.fromArray(FLOATS, c, c0 + LENGTH);
    FloatVector left1 = FloatVector.fromArray(FLOATS, c, c1);
    FloatVector right1 = FloatVector.fromArray(FLOATS, c, c1 + LENGTH);
    for (int b = 0; b < blocks; b++) {
      FloatVector leftScale = FloatVector.fromArray(FLOATS, x, x0 + b * WIDTH);
      FloatVector rightScale = FloatVector.fromArray(FLOATS, x, x0 + b * WIDTH + LENGTH);
      IntVector pairs = ShortVector.fromArray(SHORTS, sums, from + b * SUMS).reinterpretAsInts();
      FloatVector even =
          (FloatVector)
              pairs.lanewise(VectorOperators.LSHL, 16).convertShape(VectorOperators.I2F, FLOATS, 0);
      FloatVector odd =
          (FloatVector) pairs.and(UPPER_HALF).convertShape(VectorOperators.I2F, FLOATS, 0);
      FloatVector scale = FloatVector.broadcast(FLOATS, w[w0 + b]);
      left0 = even.fma(leftScale.mul(scale), left0);
      right0 = odd.fma(rightScale.mul(scale), right0);
      pairs = ShortVector.fromArray(SHORTS, sums, from + b * SUMS + WIDTH).reinterpretAsInts();
      even =
          (FloatVector)
              pairs.lanewise(VectorOperators.LSHL, 16).convertShape(VectorOperators.I2F, FLOATS, 0);
      odd = (FloatVector) pairs.and(UPPER_HALF).convertShape(VectorOperators.I2F, FLOATS, 0);
      scale = FloatVector.broadcast(FLOATS, w[w1 + b]);
      left1 = even.fma(leftScale.mul(scale), left1);
      right1 = odd.fma(rightScale.mul(scale), right1);
    }
    ((FloatVector) Lanes.VECTOR.cast(left0)).intoArray(c, c0);
    ((FloatVector) Lanes.VECTOR.cast(right0)).intoArray(c, c0 + LENGTH);
    ((FloatVector) Lanes.VECTOR.cast(left1)).intoArray(c, c1);
    ((FloatVector) Lanes.VECTOR.cast(right1)).intoArray(c, c1 + LENGTH);
  }
}
