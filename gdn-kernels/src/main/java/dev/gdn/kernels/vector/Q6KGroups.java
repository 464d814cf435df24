package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.BlockSums.EIGHTH;
import static dev.gdn.kernels.vector.GroupLanes.HALF_BYTES;
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
 * Groups of rows of GGUF Q6_K. Of half a block, 128 columns, three bytes hold four weights that are
 * 32 columns apart: two of nibbles, one of upper bits. The products of eight weights with quantised
 * tokens have a sum in 16 bits.
 */
final class Q6KGroups implements SuperGroups {
  private static final int HEAD_BYTES = HALF_BYTES + 16 * ROWS;
  private static final int SCALED = 16;
  private static final int TRIPLE_BYTES = 3 * ROWS;
  private static final int HALF = ELEMENTS / 2;
  private static final int HALF_QUANTA_BYTES = BLOCK * TRIPLE_BYTES;
  // From one of a triple's four weights to the next.
  private static final int APART = BLOCK / EIGHTH;

  private final float[] units = new float[ROWS];
  private float[] factors = {};
  private short[] sums = {};

  private void reserve(int columns) {
    if (sums.length < columns / EIGHTH * ROWS) {
      factors = new float[columns / SCALED * ROWS];
      sums = new short[columns / EIGHTH * ROWS];
    }
  }

  // The scales of some columns, from 0 on.
  private void unpackHeads(byte[] data, int head, int columns) {
    reserve(columns);
    for (int b = 0; b < columns / ELEMENTS; b++) {
      int from = head + b * HEAD_BYTES;
      GroupLanes.halves(data, from, units, 0);
      for (int row = 0; row < ROWS; row += WIDTH) {
        unpackFloats(data, from + HALF_BYTES, b * (ELEMENTS / SCALED) * ROWS, row);
      }
    }
  }

  private void unpackFloats(byte[] data, int from, int to, int row) {
    FloatVector unit0 = FloatVector.fromArray(FLOATS, units, row);
    FloatVector unit1 = FloatVector.fromArray(FLOATS, units, row + LENGTH);
    for (int i = row; i < ELEMENTS / SCALED * ROWS; i += ROWS) {
      ByteVector scale = ByteVector.fromArray(WIDTH_BYTES, data, from + i);
      ((FloatVector) scale.convertShape(VectorOperators.B2F, FLOATS, 0))
          .mul(unit0)
          .intoArray(factors, to + i);
      ((FloatVector) scale.convertShape(VectorOperators.B2F, FLOATS, 1))
          .mul(unit1)
          .intoArray(factors, to + i + LENGTH);
    }
  }

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
    unpackHeads(data, head, columns);
    for (int t = 0; t < tokens; t++) {
      int at = x.quantized().at(first + t);
      for (int row = 0; row < ROWS; row += WIDTH) {
        for (int c = 0; c < columns; c += HALF) {
          sumHalf(
              data,
              quanta + c / HALF * HALF_QUANTA_BYTES + row,
              x,
              at + c,
              c / EIGHTH * ROWS + row);
        }
      }
      for (int row = 0; row < ROWS; row += WIDTH) {
        scale(row, columns, x.quantized().scales(), at, y, t * ROWS + row);
      }
    }
  }

  private void sumHalf(byte[] data, int quanta, GroupTokens x, int at, int to) {
    short[] values = x.quantized().values();
    short[] starts = x.sums().sixBitStarts();
    for (int e = 0; e < APART; e++) {
      int s = at / EIGHTH + e;
      ShortVector s0 = ShortVector.broadcast(SHORTS, starts[s]);
      ShortVector s1 = ShortVector.broadcast(SHORTS, starts[s + APART]);
      ShortVector s2 = ShortVector.broadcast(SHORTS, starts[s + 2 * APART]);
      ShortVector s3 = ShortVector.broadcast(SHORTS, starts[s + 3 * APART]);
      for (int j = e * EIGHTH; j < (e + 1) * EIGHTH; j++) {
        int q = quanta + j * TRIPLE_BYTES;
        ShortVector a = GroupLanes.unsigned(data, q);
        ShortVector b = GroupLanes.unsigned(data, q + ROWS);
        ShortVector upper = GroupLanes.unsigned(data, q + 2 * ROWS);
        int i = at + j;
        s0 =
            upper
                .lanewise(VectorOperators.LSHL, 4)
                .and((short) 48)
                .or(a.and((short) 15))
                .mul(values[i])
                .add(s0);
        s1 =
            upper
                .lanewise(VectorOperators.LSHL, 2)
                .and((short) 48)
                .or(b.and((short) 15))
                .mul(values[i + BLOCK])
                .add(s1);
        s2 =
            upper
                .and((short) 48)
                .or(a.lanewise(VectorOperators.LSHR, 4))
                .mul(values[i + 2 * BLOCK])
                .add(s2);
        s3 =
            upper
                .lanewise(VectorOperators.LSHR, 2)
                .and((short) 48)
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

  private void scale(int row, int columns, float[] tokenScales, int at, float[] y, int to) {
    FloatVector y0 = FloatVector.zero(FLOATS);
    FloatVector y1 = y0;
    for (int c = 0; c < columns; c += SCALED) {
      int s = c / EIGHTH * ROWS + row;
      int f = c / SCALED * ROWS + row;
      FloatVector token = FloatVector.broadcast(FLOATS, tokenScales[(at + c) / BLOCK]);
      FloatVector a0 =
          (FloatVector)
              ShortVector.fromArray(HALF_SHORTS, sums, s)
                  .convertShape(VectorOperators.S2F, FLOATS, 0);
      FloatVector a1 =
          (FloatVector)
              ShortVector.fromArray(HALF_SHORTS, sums, s + LENGTH)
                  .convertShape(VectorOperators.S2F, FLOATS, 0);
      FloatVector b0 =
          (FloatVector)
              ShortVector.fromArray(HALF_SHORTS, sums, s + ROWS)
                  .convertShape(VectorOperators.S2F, FLOATS, 0);
      FloatVector b1 =
          (FloatVector)
              ShortVector.fromArray(HALF_SHORTS, sums, s + ROWS + LENGTH)
                  .convertShape(VectorOperators.S2F, FLOATS, 0);
      y0 = FloatVector.fromArray(FLOATS, factors, f).mul(token).fma(a0.add(b0), y0);
      y1 = FloatVector.fromArray(FLOATS, factors, f + LENGTH).mul(token).fma(a1.add(b1), y1);
    }
    y0.intoArray(y, to);
    y1.intoArray(y, to + LENGTH);
  }

  @Override
  public void decode(
      byte[] data, int head, int quanta, int column, int depth, float[] panels, int to) {
    unpackHeads(data, head + column / ELEMENTS * HEAD_BYTES, depth);
    for (int row = 0; row < ROWS; row += WIDTH) {
      int panel = to + row * depth;
      for (int c = 0; c < depth; c += SCALED) {
        int which = c % HALF / BLOCK;
        int triples =
            quanta + (column + c) / HALF * HALF_QUANTA_BYTES + c % BLOCK * TRIPLE_BYTES + row;
        decodeScaled(data, triples, which, c / SCALED * ROWS + row, panels, panel + c * WIDTH);
      }
    }
  }

  // 16 of the weights with number `which` in their triples.
  private void decodeScaled(
      byte[] data, int triples, int which, int factor, float[] panels, int to) {
    FloatVector a0 = FloatVector.fromArray(FLOATS, factors, factor);
    FloatVector a1 = FloatVector.fromArray(FLOATS, factors, factor + LENGTH);
    int nibbles = triples + which % 2 * ROWS;
    int shift = which / 2 * 4;
    for (int j = 0; j < SCALED; j++) {
      ByteVector pair = ByteVector.fromArray(WIDTH_BYTES, data, nibbles + j * TRIPLE_BYTES);
      ByteVector bits =
          ByteVector.fromArray(WIDTH_BYTES, data, triples + 2 * ROWS + j * TRIPLE_BYTES);
      IntVector q0 = (IntVector) pair.convertShape(VectorOperators.B2I, INTS, 0);
      IntVector q1 = (IntVector) pair.convertShape(VectorOperators.B2I, INTS, 1);
      IntVector u0 = (IntVector) bits.convertShape(VectorOperators.B2I, INTS, 0);
      IntVector u1 = (IntVector) bits.convertShape(VectorOperators.B2I, INTS, 1);
      u0 = u0.lanewise(VectorOperators.LSHR, 2 * which).lanewise(VectorOperators.LSHL, 4).and(48);
      u1 = u1.lanewise(VectorOperators.LSHR, 2 * which).lanewise(VectorOperators.LSHL, 4).and(48);
      q0 = q0.lanewise(VectorOperators.LSHR, shift).and(15).or(u0).sub(32);
      q1 = q1.lanewise(VectorOperators.LSHR, shift).and(15).or(u1).sub(32);
      ((FloatVector) q0.convertShape(VectorOperators.I2F, FLOATS, 0))
          .mul(a0)
          .intoArray(panels, to + j * WIDTH);
      ((FloatVector) q1.convertShape(VectorOperators.I2F, FLOATS, 0))
          .mul(a1)
          .intoArray(panels, to + j * WIDTH + LENGTH);
    }
  }
}
