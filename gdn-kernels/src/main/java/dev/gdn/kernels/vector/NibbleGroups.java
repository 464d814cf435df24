package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.HALF_BYTES;
import static dev.gdn.kernels.vector.GroupLanes.ROWS;
import static dev.gdn.kernels.vector.GroupLanes.WIDTH;
import static dev.gdn.kernels.vector.GroupLanes.WIDTH_BYTES;
import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.HALF_SHORTS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.SHORTS;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/**
 * The product of a group of rows of GGUF Q4_0 blocks with quantised tokens, exact in 16 bits within
 * a block. First the sums of all blocks are taken, then they are scaled: two loops that C2 keeps in
 * registers, where it does not keep one of both.
 */
final class NibbleGroups {
  private static final int BLOCK_BYTES = BLOCK / 2 * ROWS;

  private short[] sums = {};
  private float[] scales = {};

  /**
   * The dot products of the rows of a group with some tokens.
   *
   * @param head where the scales of the group start
   * @param quanta where its nibbles start
   * @param y takes {@code [tokens, ROWS]} from 0 on
   */
  void multiply(
      byte[] data,
      int head,
      int quanta,
      int columns,
      GroupTokens x,
      int first,
      int tokens,
      float[] y) {
    int blocks = columns / BLOCK;
    if (sums.length < blocks * ROWS) {
      sums = new short[blocks * ROWS];
      scales = new float[blocks * ROWS];
    }
    for (int b = 0; b < blocks; b++) {
      GroupLanes.halves(data, head + b * HALF_BYTES, scales, b * ROWS);
    }
    for (int t = 0; t < tokens; t++) {
      int at = x.quantized().at(first + t);
      for (int row = 0; row < ROWS; row += WIDTH) {
        sum(data, quanta, row, blocks, x.folded(), at);
      }
      for (int row = 0; row < ROWS; row += WIDTH) {
        scale(row, blocks, x.quantized().scales(), at / BLOCK, y, t * ROWS + row);
      }
    }
  }

  private void sum(byte[] data, int from, int row, int blocks, FoldedTokens folded, int at) {
    short[] values = folded.values();
    short[] starts = folded.starts();
    for (int b = 0; b < blocks; b++) {
      int block = from + b * BLOCK_BYTES + row;
      ShortVector whole = ShortVector.broadcast(SHORTS, starts[at / BLOCK + b]);
      ShortVector upper = ShortVector.zero(SHORTS);
      for (int j = 0; j < BLOCK / 2; j++) {
        ShortVector pairs =
            (ShortVector)
                ByteVector.fromArray(WIDTH_BYTES, data, block + j * ROWS)
                    .convertShape(VectorOperators.ZERO_EXTEND_B2S, SHORTS, 0);
        int i = at + b * BLOCK + j;
        whole = pairs.mul(values[i]).add(whole);
        upper = pairs.lanewise(VectorOperators.LSHR, 4).mul(values[i + BLOCK / 2]).add(upper);
      }
      whole.add(upper).intoArray(sums, b * ROWS + row);
    }
  }

  private void scale(int row, int blocks, float[] tokenScales, int at, float[] y, int to) {
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    for (int b = 0; b < blocks; b++) {
      int i = b * ROWS + row;
      FloatVector token = FloatVector.broadcast(FLOATS, tokenScales[at + b]);
      FloatVector scale0 = FloatVector.fromArray(FLOATS, scales, i).mul(token);
      FloatVector scale1 = FloatVector.fromArray(FLOATS, scales, i + LENGTH).mul(token);
      s0 =
          scale0.fma(
              ShortVector.fromArray(HALF_SHORTS, sums, i)
                  .convertShape(VectorOperators.S2F, FLOATS, 0),
              s0);
      s1 =
          scale1.fma(
              ShortVector.fromArray(HALF_SHORTS, sums, i + LENGTH)
                  .convertShape(VectorOperators.S2F, FLOATS, 0),
              s1);
    }
    s0.intoArray(y, to);
    s1.intoArray(y, to + LENGTH);
  }
}
