package dev.gdn.kernels.vector;

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
 * Groups of rows of GGUF Q4_K. A weight is a·(q − 8) + b, with a and b of each 32: the products of
 * q − 8 with quantised tokens have a sum in 16 bits, as in {@link NibbleGroups}.
 */
final class Q4KGroups implements SuperGroups {
  private static final int HEAD_BYTES = 2 * HALF_BYTES + 12 * ROWS;
  private static final int BLOCKS = ELEMENTS / BLOCK;
  private static final int PAIR_BYTES = BLOCK * ROWS;

  private final float[] units = new float[ROWS];
  private final float[] minimumUnits = new float[ROWS];
  private final byte[] scales = new byte[BLOCKS * ROWS];
  private final byte[] minima = new byte[BLOCKS * ROWS];
  private float[] factors = {};
  private float[] offsets = {};
  private short[] sums = {};

  private void reserve(int columns) {
    int size = columns / BLOCK * ROWS;
    if (sums.length < size) {
      factors = new float[size];
      offsets = new float[size];
      sums = new short[size];
    }
  }

  // a and b of some columns, from 0 on.
  private void unpackHeads(byte[] data, int head, int columns) {
    reserve(columns);
    for (int b = 0; b < columns / ELEMENTS; b++) {
      int from = head + b * HEAD_BYTES;
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
      FloatVector a0 = ((FloatVector) scale.castShape(FLOATS, 0)).mul(unit0);
      FloatVector a1 = ((FloatVector) scale.castShape(FLOATS, 1)).mul(unit1);
      a0.intoArray(factors, to + i);
      a1.intoArray(factors, to + i + LENGTH);
      a0.mul(8f)
          .sub(((FloatVector) minimum.castShape(FLOATS, 0)).mul(minimum0))
          .intoArray(offsets, to + i);
      a1.mul(8f)
          .sub(((FloatVector) minimum.castShape(FLOATS, 1)).mul(minimum1))
          .intoArray(offsets, to + i + LENGTH);
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
    unpackHeads(data, head + column / ELEMENTS * HEAD_BYTES, depth);
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
    FloatVector a0 = FloatVector.fromArray(FLOATS, factors, scale);
    FloatVector a1 = FloatVector.fromArray(FLOATS, factors, scale + LENGTH);
    FloatVector b0 = FloatVector.fromArray(FLOATS, offsets, scale);
    FloatVector b1 = FloatVector.fromArray(FLOATS, offsets, scale + LENGTH);
    for (int j = 0; j < BLOCK; j++) {
      ByteVector pair = ByteVector.fromArray(WIDTH_BYTES, data, pairs + j * ROWS);
      IntVector q0 = (IntVector) pair.castShape(INTS, 0);
      IntVector q1 = (IntVector) pair.castShape(INTS, 1);
      q0 = q0.lanewise(VectorOperators.LSHR, shift).and(15).sub(8);
      q1 = q1.lanewise(VectorOperators.LSHR, shift).and(15).sub(8);
      ((FloatVector) q0.castShape(FLOATS, 0)).fma(a0, b0).intoArray(panels, to + j * WIDTH);
      ((FloatVector) q1.castShape(FLOATS, 0))
          .fma(a1, b1)
          .intoArray(panels, to + j * WIDTH + LENGTH);
    }
  }
}
