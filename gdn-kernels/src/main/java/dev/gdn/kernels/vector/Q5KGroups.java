package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.BlockSums.HALF_BLOCK;
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
 * Groups of rows of GGUF Q5_K. Five bytes hold eight weights of a block that are 32 columns apart:
 * four of nibbles, one of fifth bits. A weight is a·(q − 16) + b, with a and b of each 32 ({@link
 * SixBitHeads}): the products of q − 16 with quantised tokens have a sum in 16 bits over 16
 * columns.
 */
final class Q5KGroups implements SuperGroups {
  private static final int FIVE_BYTES = 5 * ROWS;
  private static final int FIFTHS = 4 * ROWS;
  private static final int QUANTA_BYTES = BLOCK * FIVE_BYTES;
  // Columns of which two of the four bytes are.
  private static final int HALF = ELEMENTS / 2;
  // From one of the eight weights to the next, in sums.
  private static final int APART = BLOCK / HALF_BLOCK;

  private final SixBitHeads heads = new SixBitHeads(16);
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
    int size = columns / HALF_BLOCK * ROWS;
    if (sums.length < size) {
      sums = new short[size];
    }
    for (int t = 0; t < tokens; t++) {
      int at = x.quantized().at(first + t);
      for (int row = 0; row < ROWS; row += WIDTH) {
        for (int c = 0; c < columns; c += HALF) {
          int fives = quanta + c / ELEMENTS * QUANTA_BYTES + row;
          sumHalf(data, fives, c % ELEMENTS / HALF, x, at + c, c / HALF_BLOCK * ROWS + row);
        }
      }
      for (int row = 0; row < ROWS; row += WIDTH) {
        scale(row, columns / BLOCK, x, at / BLOCK, y, t * ROWS + row);
      }
    }
  }

  // Of the first or the last four of the eight weights in five bytes.
  private void sumHalf(byte[] data, int fives, int half, GroupTokens x, int at, int to) {
    short[] values = x.quantized().values();
    short[] starts = x.sums().fiveBitStarts();
    int pairs = 2 * half * ROWS;
    int bits = 4 * half;
    for (int e = 0; e < APART; e++) {
      int s = at / HALF_BLOCK + e;
      ShortVector s0 = ShortVector.broadcast(SHORTS, starts[s]);
      ShortVector s1 = ShortVector.broadcast(SHORTS, starts[s + APART]);
      ShortVector s2 = ShortVector.broadcast(SHORTS, starts[s + 2 * APART]);
      ShortVector s3 = ShortVector.broadcast(SHORTS, starts[s + 3 * APART]);
      for (int j = e * HALF_BLOCK; j < (e + 1) * HALF_BLOCK; j++) {
        int q = fives + j * FIVE_BYTES;
        ShortVector a = GroupLanes.unsigned(data, q + pairs);
        ShortVector b = GroupLanes.unsigned(data, q + pairs + ROWS);
        ShortVector fifth =
            GroupLanes.unsigned(data, q + FIFTHS).lanewise(VectorOperators.LSHR, bits);
        int i = at + j;
        s0 =
            fifth
                .lanewise(VectorOperators.LSHL, 4)
                .and((short) 16)
                .or(a.and((short) 15))
                .mul(values[i])
                .add(s0);
        s1 =
            fifth
                .lanewise(VectorOperators.LSHL, 3)
                .and((short) 16)
                .or(a.lanewise(VectorOperators.LSHR, 4))
                .mul(values[i + BLOCK])
                .add(s1);
        s2 =
            fifth
                .lanewise(VectorOperators.LSHL, 2)
                .and((short) 16)
                .or(b.and((short) 15))
                .mul(values[i + 2 * BLOCK])
                .add(s2);
        s3 =
            fifth
                .lanewise(VectorOperators.LSHL, 1)
                .and((short) 16)
                .or(b.lanewise(VectorOperators.LSHR, 4))
                .mul(values[i + 3 * BLOCK])
                .add(s3);
      }
      int sum = to + e * ROWS;
      s0.intoArray(sums, sum);
      s1.intoArray(sums, sum + APART * ROWS);
      s2.intoArray(sums, sum + 2 * APART * ROWS);
      s3.intoArray(sums, sum + 3 * APART * ROWS);
    }
  }

  private void scale(int row, int blocks, GroupTokens x, int at, float[] y, int to) {
    float[] tokenScales = x.quantized().scales();
    float[] weighted = x.sums().weighted();
    float[] factors = heads.factors();
    float[] offsets = heads.offsets();
    FloatVector y0 = FloatVector.zero(FLOATS);
    FloatVector y1 = y0;
    for (int b = 0; b < blocks; b++) {
      int i = b * ROWS + row;
      int s = b * APART * ROWS + row;
      FloatVector sum = FloatVector.broadcast(FLOATS, weighted[at + b]);
      y0 = FloatVector.fromArray(FLOATS, offsets, i).fma(sum, y0);
      y1 = FloatVector.fromArray(FLOATS, offsets, i + LENGTH).fma(sum, y1);
      FloatVector token = FloatVector.broadcast(FLOATS, tokenScales[at + b]);
      FloatVector a0 = FloatVector.fromArray(FLOATS, factors, i).mul(token);
      FloatVector a1 = FloatVector.fromArray(FLOATS, factors, i + LENGTH).mul(token);
      FloatVector c0 =
          (FloatVector)
              ShortVector.fromArray(HALF_SHORTS, sums, s)
                  .convertShape(VectorOperators.S2F, FLOATS, 0);
      FloatVector c1 =
          (FloatVector)
              ShortVector.fromArray(HALF_SHORTS, sums, s + LENGTH)
                  .convertShape(VectorOperators.S2F, FLOATS, 0);
      FloatVector d0 =
          (FloatVector)
              ShortVector.fromArray(HALF_SHORTS, sums, s + ROWS)
                  .convertShape(VectorOperators.S2F, FLOATS, 0);
      FloatVector d1 =
          (FloatVector)
              ShortVector.fromArray(HALF_SHORTS, sums, s + ROWS + LENGTH)
                  .convertShape(VectorOperators.S2F, FLOATS, 0);
      y0 = a0.fma(c0.add(d0), y0);
      y1 = a1.fma(c1.add(d1), y1);
    }
    y0.intoArray(y, to);
    y1.intoArray(y, to + LENGTH);
  }

  @Override
  public void decode(
      byte[] data, int head, int quanta, int column, int depth, float[] panels, int to) {
    heads.unpack(data, head + column / ELEMENTS * SixBitHeads.BYTES, depth);
    for (int row = 0; row < ROWS; row += WIDTH) {
      int panel = to + row * depth;
      for (int c = 0; c < depth; c += BLOCK) {
        int which = c % ELEMENTS / BLOCK;
        int fives = quanta + (column + c) / ELEMENTS * QUANTA_BYTES + row;
        decodeBlock(data, fives, which, c / BLOCK * ROWS + row, panels, panel + c * WIDTH);
      }
    }
  }

  // The weights with number `which` in their five bytes.
  private void decodeBlock(byte[] data, int fives, int which, int scale, float[] panels, int to) {
    FloatVector a0 = FloatVector.fromArray(FLOATS, heads.factors(), scale);
    FloatVector a1 = FloatVector.fromArray(FLOATS, heads.factors(), scale + LENGTH);
    FloatVector b0 = FloatVector.fromArray(FLOATS, heads.offsets(), scale);
    FloatVector b1 = FloatVector.fromArray(FLOATS, heads.offsets(), scale + LENGTH);
    int nibbles = fives + which / 2 * ROWS;
    int shift = which % 2 * 4;
    for (int j = 0; j < BLOCK; j++) {
      ByteVector pair = ByteVector.fromArray(WIDTH_BYTES, data, nibbles + j * FIVE_BYTES);
      ByteVector bits = ByteVector.fromArray(WIDTH_BYTES, data, fives + FIFTHS + j * FIVE_BYTES);
      IntVector q0 = (IntVector) pair.convertShape(VectorOperators.B2I, INTS, 0);
      IntVector q1 = (IntVector) pair.convertShape(VectorOperators.B2I, INTS, 1);
      IntVector u0 = (IntVector) bits.convertShape(VectorOperators.B2I, INTS, 0);
      IntVector u1 = (IntVector) bits.convertShape(VectorOperators.B2I, INTS, 1);
      u0 = u0.lanewise(VectorOperators.LSHR, which).lanewise(VectorOperators.LSHL, 4).and(16);
      u1 = u1.lanewise(VectorOperators.LSHR, which).lanewise(VectorOperators.LSHL, 4).and(16);
      q0 = q0.lanewise(VectorOperators.LSHR, shift).and(15).or(u0).sub(16);
      q1 = q1.lanewise(VectorOperators.LSHR, shift).and(15).or(u1).sub(16);
      ((FloatVector) q0.convertShape(VectorOperators.I2F, FLOATS, 0))
          .fma(a0, b0)
          .intoArray(panels, to + j * WIDTH);
      ((FloatVector) q1.convertShape(VectorOperators.I2F, FLOATS, 0))
          .fma(a1, b1)
          .intoArray(panels, to + j * WIDTH + LENGTH);
    }
  }
}
