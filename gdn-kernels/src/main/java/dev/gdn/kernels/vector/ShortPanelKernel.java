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
  private final short[] blockSums = new short[DEPTH / BLOCK * ShortTile.SUMS];
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
    data.isMapped(); // see StoredRows
    for (int b = 0; b < depth / BLOCK; b++) {
      long stored = from + (long) b * (BLOCK / 2 + 2);
      scales[row * SCALE_STRIDE + b] = StoredRows.half(data, stored) * ShortTile.UNIT;
      int to = row * STRIDE + b * BLOCK;
      // Written out whole: a vector that crosses a call which C2 does not inline costs dearly.
      for (int j = 0; j < BLOCK / 2; j += QUARTER_BYTES.length()) {
        ByteVector q = ByteVector.fromMemorySegment(QUARTER_BYTES, data, stored + 2 + j, ORDER);
        IntVector pairs = (IntVector) q.convertShape(VectorOperators.B2I, INTS, 0);
        IntVector low = pairs.and(0xF).sub(8);
        IntVector high = pairs.lanewise(VectorOperators.LSHR, 4).and(0xF).sub(8);
        low.and(0xFFFF).or(low.lanewise(VectorOperators.LSHL, 16)).intoArray(weights, to + j);
        high.and(0xFFFF)
            .or(high.lanewise(VectorOperators.LSHL, 16))
            .intoArray(weights, to + j + BLOCK / 2);
        if (TWO_FROM_BYTES) {
          pairs = (IntVector) q.convertShape(VectorOperators.B2I, INTS, 1);
          low = pairs.and(0xF).sub(8);
          high = pairs.lanewise(VectorOperators.LSHR, 4).and(0xF).sub(8);
          low.and(0xFFFF)
              .or(low.lanewise(VectorOperators.LSHL, 16))
              .intoArray(weights, to + j + LENGTH);
          high.and(0xFFFF)
              .or(high.lanewise(VectorOperators.LSHL, 16))
              .intoArray(weights, to + j + LENGTH + BLOCK / 2);
        }
      }
    }
  }

  @Override
  public void multiply(int panels, int column, int depth, int rows, float[] sums, int sumsOfPanel) {
    for (int panel = 0; panel < panels; panel += 2) {
      boolean two = panel + 1 < panels;
      int r = 0;
      while (r < rows) {
        boolean tall = two && PanelKernel.isTall(rows - r);
        int some = tall ? 2 * ROWS : ROWS;
        sum(panel, two, tall, column, depth / BLOCK, r * STRIDE);
        scale(panel, 0, column, depth, r, some, sums, panel * sumsOfPanel);
        if (two) {
          int to = (panel + 1) * sumsOfPanel;
          scale(panel + 1, ShortTile.HALF, column, depth, r, some, sums, to);
        }
        r += some;
      }
    }
  }

  private void sum(int panel, boolean two, boolean tall, int column, int blocks, int w) {
    int from = x.at(panel, column);
    if (tall) {
      int next = x.at(panel + 1, column);
      TallShortTile.sumTwo(weights, w, STRIDE, x.values(), from, next, blocks, blockSums, 0);
    } else if (two) {
      int next = x.at(panel + 1, column);
      ShortTile.sumTwo(weights, w, STRIDE, x.values(), from, next, blocks, blockSums, 0);
    } else {
      ShortTile.sumOne(weights, w, STRIDE, x.values(), from, blocks, blockSums, 0);
    }
  }

  // Of some rows, those of a tile.
  private void scale(
      int panel, int from, int column, int depth, int row, int rows, float[] sums, int sumsAt) {
    for (int r = 0; r < rows; r += 2) {
      ShortTile.scaleTwo(
          blockSums,
          from + r * TokenPanels.WIDTH,
          scales,
          (row + r) * SCALE_STRIDE,
          (row + r + 1) * SCALE_STRIDE,
          x.scales(),
          x.scalesAt(panel, column),
          depth / BLOCK,
          sums,
          sumsAt + (row + r) * TokenPanels.WIDTH);
    }
  }
}
