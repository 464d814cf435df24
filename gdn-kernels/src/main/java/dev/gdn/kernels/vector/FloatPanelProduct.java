package dev.gdn.kernels.vector;

import dev.gdn.core.kernel.Projection;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import java.util.Arrays;

/**
 * The product of some rows with a block of many tokens in float32: the rows are decoded once, then
 * multiplied tile by tile. One for each worker.
 */
final class FloatPanelProduct {
  /** Columns of a panel that are multiplied at a time, so that they stay in the first cache. */
  private static final int DEPTH = 512;

  // Rows a power of two apart would share their places in the first cache.
  private static final int STRIDE = DEPTH + 16;

  private float[] weights = {};
  private float[] sums = {};

  /** Multiplies rows {@code firstRow} to {@code firstRow + rows - 1}; output from {@code token}. */
  void multiply(
      Projection projection, int firstRow, int rows, TokenPanels x, int token, int tokens) {
    WeightMatrix matrix = projection.weight();
    int padded = (rows + FloatTile.ROWS - 1) / FloatTile.ROWS * FloatTile.ROWS;
    int sumCount = x.count() * padded * TokenPanels.WIDTH;
    reserve(padded * STRIDE, sumCount);
    Arrays.fill(weights, rows * STRIDE, padded * STRIDE, 0);
    Arrays.fill(sums, 0, sumCount, 0);
    for (int column = 0; column < matrix.columns(); column += DEPTH) {
      int depth = Math.min(DEPTH, matrix.columns() - column);
      decode(matrix, firstRow, rows, column, depth);
      multiplyColumns(x, column, depth, padded);
    }
    store(projection.output(), firstRow, rows, padded, token, tokens);
  }

  private void decode(WeightMatrix matrix, int firstRow, int rows, int column, int depth) {
    DataType type = matrix.type();
    long rowBytes = matrix.rowBytes();
    long from = firstRow * rowBytes + type.bytes(column);
    for (int r = 0; r < rows; r++, from += rowBytes) {
      WeightDecoder.decode(type, matrix.data(), from, weights, r * STRIDE, depth);
    }
  }

  private void reserve(int weightCount, int sumCount) {
    if (weights.length < weightCount) {
      weights = new float[weightCount];
    }
    if (sums.length < sumCount) {
      sums = new float[sumCount];
    }
  }

  private void multiplyColumns(TokenPanels x, int column, int depth, int rows) {
    for (int panel = 0; panel < x.count(); panel++) {
      int from = x.at(panel, column);
      int to = panel * rows * TokenPanels.WIDTH;
      for (int r = 0; r < rows; r += FloatTile.ROWS) {
        int w = r * STRIDE;
        int c = to + r * TokenPanels.WIDTH;
        if (x.isNarrow(panel)) {
          FloatTile.narrow(weights, w, STRIDE, x.data(), from, depth, sums, c);
        } else {
          FloatTile.wide(weights, w, STRIDE, x.data(), from, depth, sums, c);
        }
      }
    }
  }

  private void store(TokenTensor y, int firstRow, int rows, int padded, int token, int tokens) {
    for (int t = 0; t < tokens; t++) {
      int panel = t / TokenPanels.WIDTH;
      int from = panel * padded * TokenPanels.WIDTH + t % TokenPanels.WIDTH;
      TokenPanels.collect(sums, from, rows, y.data(), y.at(token + t) + firstRow);
    }
  }
}
