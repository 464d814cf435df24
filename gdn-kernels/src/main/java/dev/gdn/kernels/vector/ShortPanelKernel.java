package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.INTS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.QUARTER_BYTES;
import static dev.gdn.kernels.vector.MatrixLanes.TWO_FROM_BYTES;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.WeightMatrix;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/** Products of 4-bit weights (Q4_0) with quantised tokens, exact in 16 bits within a block. */
final class ShortPanelKernel implements PanelKernel {
  private static final int SCALE_STRIDE = DEPTH / BLOCK;

  private final QuantizedPanels x;
  private final short[] blockSums = new short[DEPTH / BLOCK * ShortTile.ROWS * TokenPanels.WIDTH];
  private int[] weights = {};
  private float[] scales = {};

  ShortPanelKernel(QuantizedPanels x) {
    this.x = x;
  }

  @Override
  public void decode(WeightMatrix matrix, int firstRow, int rows, int column, int depth) {
    int padded = PanelKernel.padded(rows);
    if (scales.length < padded * SCALE_STRIDE) {
      weights = new int[padded * STRIDE];
      scales = new float[padded * SCALE_STRIDE];
    }
    long from = firstRow * matrix.rowBytes() + DataType.Q4_0.bytes(column);
    for (int r = 0; r < rows; r++, from += matrix.rowBytes()) {
      decodeRow(matrix.data(), from, r, depth);
    }
  }

  private void decodeRow(MemorySegment data, long from, int row, int depth) {
    for (int b = 0; b < depth / BLOCK; b++) {
      long stored = from + (long) b * (BLOCK / 2 + 2);
      scales[row * SCALE_STRIDE + b] = WeightDecoder.half(data, stored) * ShortTile.UNIT;
      int to = row * STRIDE + b * BLOCK;
      for (int j = 0; j < BLOCK / 2; j += QUARTER_BYTES.length()) {
        ByteVector q = ByteVector.fromMemorySegment(QUARTER_BYTES, data, stored + 2 + j, ORDER);
        split((IntVector) q.castShape(INTS, 0), weights, to + j);
        if (TWO_FROM_BYTES) {
          split((IntVector) q.castShape(INTS, 1), weights, to + j + LENGTH);
        }
      }
    }
  }

  private static void split(IntVector pairs, int[] target, int at) {
    twice(pairs.and(0xF).sub(8)).intoArray(target, at);
    twice(pairs.lanewise(VectorOperators.LSHR, 4).and(0xF).sub(8))
        .intoArray(target, at + BLOCK / 2);
  }

  private static IntVector twice(IntVector value) {
    return value.and(0xFFFF).or(value.lanewise(VectorOperators.LSHL, 16));
  }

  @Override
  public void multiply(int panel, int column, int depth, int rows, float[] sums, int at) {
    int blocks = depth / BLOCK;
    for (int r = 0; r < rows; r += ShortTile.ROWS) {
      for (int b = 0; b < blocks; b++) {
        ShortTile.sumBlock(
            weights,
            r * STRIDE + b * BLOCK,
            x.values(),
            x.at(panel, column + b * BLOCK),
            blockSums,
            b * ShortTile.ROWS * TokenPanels.WIDTH);
      }
      for (int i = 0; i < ShortTile.ROWS; i++) {
        ShortTile.scaleRow(
            blockSums,
            i * TokenPanels.WIDTH,
            scales,
            (r + i) * SCALE_STRIDE,
            x.scales(),
            x.at(panel, column) / BLOCK,
            blocks,
            sums,
            at + (r + i) * TokenPanels.WIDTH);
      }
    }
  }
}
