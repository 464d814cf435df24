package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.INTS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.SHORTS;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/**
 * The two innermost steps of a product of 4-bit weights with many tokens, for {@value #ROWS} rows
 * and one vector of tokens in 16 bits. The 32 products of a block are no more than 8 · 127 each, so
 * that their sum is exact; it is then scaled and added in float32.
 *
 * <p>The even lanes hold the first half of a panel's tokens, the odd ones the second.
 */
final class ShortTile {
  /** Rows of a tile. */
  static final int ROWS = 12;

  /** What a weight's scale must be multiplied by: sums are read in the upper half of an int. */
  static final float UNIT = 0x1p-16f;

  private static final int WIDTH = TokenPanels.WIDTH;
  private static final int UPPER_HALF = 0xFFFF0000;

  private ShortTile() {}

  /**
   * Sums one block of every row.
   *
   * @param w weights, each twice in one int; a row is {@link PanelKernel#STRIDE} long
   * @param x tokens, {@code [32, WIDTH]} from {@code x0} on
   * @param sums {@code [ROWS, WIDTH]} from {@code to} on
   */
  static void sumBlock(int[] w, int w0, short[] x, int x0, short[] sums, int to) {
    int w1 = w0 + PanelKernel.STRIDE;
    int w2 = w1 + PanelKernel.STRIDE;
    int w3 = w2 + PanelKernel.STRIDE;
    int w4 = w3 + PanelKernel.STRIDE;
    int w5 = w4 + PanelKernel.STRIDE;
    int w6 = w5 + PanelKernel.STRIDE;
    int w7 = w6 + PanelKernel.STRIDE;
    int w8 = w7 + PanelKernel.STRIDE;
    int w9 = w8 + PanelKernel.STRIDE;
    int w10 = w9 + PanelKernel.STRIDE;
    int w11 = w10 + PanelKernel.STRIDE;
    ShortVector s0 = ShortVector.zero(SHORTS);
    ShortVector s1 = s0;
    ShortVector s2 = s0;
    ShortVector s3 = s0;
    ShortVector s4 = s0;
    ShortVector s5 = s0;
    ShortVector s6 = s0;
    ShortVector s7 = s0;
    ShortVector s8 = s0;
    ShortVector s9 = s0;
    ShortVector s10 = s0;
    ShortVector s11 = s0;
    for (int k = 0; k < BLOCK; k++) {
      ShortVector tokens = ShortVector.fromArray(SHORTS, x, x0 + k * WIDTH);
      s0 = weight(w[w0 + k]).mul(tokens).add(s0);
      s1 = weight(w[w1 + k]).mul(tokens).add(s1);
      s2 = weight(w[w2 + k]).mul(tokens).add(s2);
      s3 = weight(w[w3 + k]).mul(tokens).add(s3);
      s4 = weight(w[w4 + k]).mul(tokens).add(s4);
      s5 = weight(w[w5 + k]).mul(tokens).add(s5);
      s6 = weight(w[w6 + k]).mul(tokens).add(s6);
      s7 = weight(w[w7 + k]).mul(tokens).add(s7);
      s8 = weight(w[w8 + k]).mul(tokens).add(s8);
      s9 = weight(w[w9 + k]).mul(tokens).add(s9);
      s10 = weight(w[w10 + k]).mul(tokens).add(s10);
      s11 = weight(w[w11 + k]).mul(tokens).add(s11);
    }
    s0.intoArray(sums, to);
    s1.intoArray(sums, to + 1 * WIDTH);
    s2.intoArray(sums, to + 2 * WIDTH);
    s3.intoArray(sums, to + 3 * WIDTH);
    s4.intoArray(sums, to + 4 * WIDTH);
    s5.intoArray(sums, to + 5 * WIDTH);
    s6.intoArray(sums, to + 6 * WIDTH);
    s7.intoArray(sums, to + 7 * WIDTH);
    s8.intoArray(sums, to + 8 * WIDTH);
    s9.intoArray(sums, to + 9 * WIDTH);
    s10.intoArray(sums, to + 10 * WIDTH);
    s11.intoArray(sums, to + 11 * WIDTH);
  }

  private static ShortVector weight(int twice) {
    return IntVector.broadcast(INTS, twice).reinterpretAsShorts();
  }

  /**
   * Scales the sums of one row's blocks and adds them.
   *
   * @param sums of block b from {@code from + b * ROWS * WIDTH} on
   * @param w a scale for each block, times {@link #UNIT}
   * @param x scales of the tokens in their order, {@code [blocks, WIDTH]} from {@code x0} on
   * @param c takes {@code WIDTH} sums from {@code c0} on
   */
  static void scaleRow(
      short[] sums, int from, float[] w, int w0, float[] x, int x0, int blocks, float[] c, int c0) {
    FloatVector left = FloatVector.fromArray(FLOATS, c, c0);
    FloatVector right = FloatVector.fromArray(FLOATS, c, c0 + LENGTH);
    for (int b = 0; b < blocks; b++) {
      IntVector pairs =
          ShortVector.fromArray(SHORTS, sums, from + b * ROWS * WIDTH).reinterpretAsInts();
      FloatVector even =
          (FloatVector) pairs.lanewise(VectorOperators.LSHL, 16).castShape(FLOATS, 0);
      FloatVector odd = (FloatVector) pairs.and(UPPER_HALF).castShape(FLOATS, 0);
      FloatVector scale = FloatVector.broadcast(FLOATS, w[w0 + b]);
      left = even.fma(FloatVector.fromArray(FLOATS, x, x0 + b * WIDTH).mul(scale), left);
      right = odd.fma(FloatVector.fromArray(FLOATS, x, x0 + b * WIDTH + LENGTH).mul(scale), right);
    }
    left.intoArray(c, c0);
    right.intoArray(c, c0 + LENGTH);
  }
}
