package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.ROWS;
import static dev.gdn.kernels.vector.GroupLanes.WIDTH;
import static dev.gdn.kernels.vector.GroupLanes.WIDTH_BYTES;
import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.HALF_SHORTS;
import static dev.gdn.kernels.vector.MatrixLanes.INTS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.SHORTS;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Groups of rows of GGUF Q4_K. A weight is a·(q − 8) + b, with a and b of each 32 ({@link
 * SixBitHeads}): the products of q − 8 with quantised tokens have a sum in 16 bits, as in {@link
 * NibbleGroups}.
 */
final class Q4KGroups implements SuperGroups {
  private static final int PAIR_BYTES = BLOCK * ROWS;

  private final SixBitHeads heads = new SixBitHeads(8);
  private short[] sums = {};

  @Override
  public void multiply(
      byte[] data,
      int head,
      int quanta,
      int columns,
      GroupTokens x,
      int first,
      int tokens,
      float[] y) {
    heads.unpack(data, head, columns);
    int size = columns / BLOCK * ROWS;
    if (sums.length < size) {
      sums = new short[size];
    }
    for (int t = 0; t < tokens; t++) {
      int at = x.quantized().at(first + t);
      for (int row = 0; row < ROWS; row += WIDTH) {
        sum(data, quanta + row, row, columns, x, at);
      }
      for (int row = 0; row < ROWS; row += WIDTH) {
        scale(row, columns / BLOCK, x, at / BLOCK, y, t * ROWS + row);
      }
    }
  }

  private void sum(byte[] data, int quanta, int row, int columns, GroupTokens x, int at) {
    short[] values = x.quantized().values();
    short[] starts = x.sums().nibbleStarts();
    for (int c = 0; c < columns; c += 2 * BLOCK) {
      int pairs = quanta + c / (2 * BLOCK) * PAIR_BYTES;
      ShortVector lower = ShortVector.broadcast(SHORTS, starts[(at + c) / BLOCK]);
      ShortVector upper = ShortVector.broadcast(SHORTS, starts[(at + c) / BLOCK + 1]);
      for (int j = 0; j < BLOCK; j++) {
        ShortVector pair =
            (ShortVector)
                ByteVector.fromArray(WIDTH_BYTES, data, pairs + j * ROWS)
                    .convertShape(VectorOperators.ZERO_EXTEND_B2S, SHORTS, 0);
        int i = at + c + j;
        lower = pair.and((short) 15).mul(values[i]).add(lower);
        upper = pair.lanewise(VectorOperators.LSHR, 4).mul(values[i + BLOCK]).add(upper);
      }
      lower.intoArray(sums, c / BLOCK * ROWS + row);
      upper.intoArray(sums, (c / BLOCK + 1) * ROWS + row);
    }
  }

  private void scale(int row, int blocks, GroupTokens x, int at, float[] y, int to) {
    float[] tokenScales = x.quantized().scales();
    float[] weighted = x.sums().weighted();
    float[] factors = heads.factors();
    float[] offsets = heads.offsets();
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    for (int b = 0; b < blocks; b++) {
      int i = b * ROWS + row;
      FloatVector token = FloatVector.broadcast(FLOATS, tokenScales[at + b]);
      FloatVector sum = FloatVector.broadcast(FLOATS, weighted[at + b]);
      s0 = FloatVector.fromArray(FLOATS, offsets, i).fma(sum, s0);
      s1 = FloatVector.fromArray(FLOATS, offsets, i + LENGTH).fma(sum, s1);
      FloatVector scale0 = FloatVector.fromArray(FLOATS, factors, i).mul(token);
      FloatVector scale1 = FloatVector.fromArray(FLOATS, factors, i + LENGTH).mul(token);
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

  @Override
  public void decode(
      byte[] data, int head, int quanta, int column, int depth, float[] panels, int to) {
    heads.unpack(data, head + column / ELEMENTS * SixBitHeads.BYTES, depth);
    for (int row = 0; row < ROWS; row += WIDTH) {
      int panel = to + row * depth;
      for (int c = 0; c < depth; c += BLOCK) {
        int pairs = quanta + (column + c) / (2 * BLOCK) * PAIR_BYTES + row;
        int shift = c % (2 * BLOCK) / BLOCK * 4;
        decodeBlock(data, pairs, shift, c / BLOCK * ROWS + row, panels, panel + c * WIDTH);
      }
    }
  }

  private void decodeBlock(byte[] data, int pairs, int shift, int scale, float[] panels, int to) {
    float[] factors = heads.factors();
    float[] offsets = heads.offsets();
    FloatVector a0 = FloatVector.fromArray(FLOATS, factors, scale);
    FloatVector a1 = FloatVector.fromArray(FLOATS, factors, scale + LENGTH);
    FloatVector b0 = FloatVector.fromArray(FLOATS, offsets, scale);
    FloatVector b1 = FloatVector.fromArray(FLOATS, offsets, scale + LENGTH);
    for (int j = 0; j < BLOCK; j++) {
      ByteVector pair = ByteVector.fromArray(WIDTH_BYTES, data, pairs + j * ROWS);
      IntVector q0 = (IntVector) pair.convertShape(VectorOperators.B2I, INTS, 0);
      IntVector q1 = (IntVector) pair.convertShape(VectorOperators.B2I, INTS, 1);
      q0 = q0.lanewise(VectorOperators.LSHR, shift).and(15).sub(8);
      q1 = q1.lanewise(VectorOperators.LSHR, shift).and(15).sub(8);
      ((FloatVector) q0.convertShape(VectorOperators.I2F, FLOATS, 0))
          .fma(a0, b0)
          .intoArray(panels, to + j * WIDTH);
      ((FloatVector) q1.convertShape(VectorOperators.I2F, FLOATS, 0))
          .fma(a1, b1)
          .intoArray(panels, to + j * WIDTH + LENGTH);
    }
  }
}
