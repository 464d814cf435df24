package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.HALF_BYTES;
import static dev.gdn.kernels.vector.GroupLanes.ROWS;
import static dev.gdn.kernels.vector.GroupLanes.WIDTH;
import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.INTS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.QUARTER_BYTES;
import static dev.gdn.kernels.vector.MatrixLanes.TWO_FROM_BYTES;

import dev.gdn.core.tensor.RowGroups;
import dev.gdn.core.tensor.WeightMatrix;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * The arithmetic of a product of groups of rows with many tokens, for 4-bit weights (Q4_0) and
 * quantised tokens: rows stand in the lanes of {@link ShortTile}, tokens are its rows. Holds
 * decoded weights; one for each worker.
 */
final class ShortGroupKernel implements GroupKernel {
  private static final int BLOCK_BYTES = BLOCK / 2 * ROWS;
  private static final int BLOCKS = DEPTH / BLOCK;

  private final QuantizedStrips x;
  private final short[] blockSums = new short[BLOCKS * ShortTile.SUMS];
  // Of a panel of rows: the first half of these in the lower halves of ints.
  private final int[] panels = new int[DEPTH * MOST_ROWS / 2];
  private final float[] groupScales = new float[ROWS];
  private final float[] scales = new float[BLOCKS * MOST_ROWS];

  ShortGroupKernel(QuantizedStrips x) {
    this.x = x;
  }

  @Override
  public void decode(WeightMatrix matrix, int firstRow, int rows, int column, int depth) {
    for (int row = 0; row < rows; row += ROWS) {
      int from = RowGroups.start(matrix, firstRow + row);
      int halves = from + column / BLOCK * HALF_BYTES;
      int nibbles = from + matrix.columns() / BLOCK * HALF_BYTES + column / BLOCK * BLOCK_BYTES;
      decodeGroup(RowGroups.bytes(matrix), halves, nibbles, row, depth);
    }
  }

  private void decodeGroup(byte[] data, int halves, int nibbles, int firstRow, int depth) {
    for (int b = 0; b < depth / BLOCK; b++) {
      GroupLanes.halves(data, halves + b * HALF_BYTES, groupScales, 0);
      for (int row = 0; row < ROWS; row += WIDTH) {
        int to = (firstRow + row) * (depth / BLOCK) + b * WIDTH;
        System.arraycopy(groupScales, row, scales, to, WIDTH);
        decodeBlock(
            data,
            nibbles + b * BLOCK_BYTES + row,
            (firstRow + row) / 2 * depth + b * BLOCK * LENGTH);
      }
    }
  }

  private void decodeBlock(byte[] data, int from, int to) {
    for (int j = 0; j < BLOCK / 2; j++) {
      int q = from + j * ROWS;
      IntVector a = first(data, q);
      IntVector b = second(data, q);
      both(a.and(0xF).sub(8), b.and(0xF).sub(8)).intoArray(panels, to + j * LENGTH);
      a = a.lanewise(VectorOperators.LSHR, 4).and(0xF).sub(8);
      b = b.lanewise(VectorOperators.LSHR, 4).and(0xF).sub(8);
      both(a, b).intoArray(panels, to + (j + BLOCK / 2) * LENGTH);
    }
  }

  private static IntVector both(IntVector lower, IntVector upper) {
    return lower.and(0xFFFF).or(upper.lanewise(VectorOperators.LSHL, 16));
  }

  private static IntVector first(byte[] data, int from) {
    return (IntVector)
        ByteVector.fromArray(QUARTER_BYTES, data, from).convertShape(VectorOperators.B2I, INTS, 0);
  }

  private static IntVector second(byte[] data, int from) {
    return TWO_FROM_BYTES
        ? (IntVector)
            ByteVector.fromArray(QUARTER_BYTES, data, from)
                .convertShape(VectorOperators.B2I, INTS, 1)
        : first(data, from + LENGTH);
  }

  // A tile's tokens stay in the nearest cache while they meet all rows.
  @Override
  public void multiply(int rows, int tokens, int column, int depth, float[] sums) {
    for (int t = 0, some; t < tokens; t += some) {
      some = PanelKernel.isTall(tokens - t) ? 2 * TOKENS : TOKENS;
      for (int row = 0; row < rows; row += 2 * WIDTH) {
        boolean two = row + WIDTH < rows;
        int w = row / 2 * depth;
        if (two) {
          sumTwo(x.at(column, t), some, w, depth);
        } else {
          sumOne(x.at(column, t), some, w, depth);
        }
        for (int i = 0; i < some; i += 2) {
          scale(i * WIDTH, column, t + i, row, tokens, depth, sums);
          if (two) {
            scale(ShortTile.HALF + i * WIDTH, column, t + i, row + WIDTH, tokens, depth, sums);
          }
        }
      }
    }
  }

  private void sumTwo(int token, int tokens, int w, int depth) {
    int next = w + LENGTH * depth;
    int blocks = depth / BLOCK;
    if (tokens > TOKENS) {
      TallShortTile.sumTwo(x.values(), token, STRIDE, panels, w, next, blocks, blockSums, 0);
    } else {
      ShortTile.sumTwo(x.values(), token, STRIDE, panels, w, next, blocks, blockSums, 0);
    }
  }

  private void sumOne(int token, int tokens, int w, int depth) {
    for (int t = 0; t < tokens; t += TOKENS) {
      int first = token + t * STRIDE;
      ShortTile.sumOne(x.values(), first, STRIDE, panels, w, depth / BLOCK, blockSums, t * WIDTH);
    }
  }

  // Two tokens and a panel of rows.
  private void scale(int sum, int column, int token, int row, int tokens, int depth, float[] sums) {
    ShortTile.scaleTwo(
        blockSums,
        sum,
        x.scales(),
        x.scalesAt(column, token),
        x.scalesAt(column, token + 1),
        scales,
        row * (depth / BLOCK),
        depth / BLOCK,
        sums,
        row * tokens + token * WIDTH);
  }
}
