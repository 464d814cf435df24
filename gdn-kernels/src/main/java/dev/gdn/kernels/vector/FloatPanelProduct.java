package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;

import dev.gdn.core.kernel.Projection;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import java.util.Arrays;

/**
 * The product of some rows with a block of many tokens in float32: the rows are decoded once, then
 * multiplied tile by tile. One for each worker.
 */
final class FloatPanelProduct {
  /** Columns of a panel that are multiplied at a time, so that they stay in the first cache. */
  private static final int DEPTH = 128;

  private float[] weights = {};
  private float[] sums = {};

  /** Multiplies rows {@code firstRow} to {@code firstRow + rows - 1}; output from {@code token}. */
  void multiply(
      Projection projection, int firstRow, int rows, TokenPanels x, int token, int tokens) {
    WeightMatrix matrix = projection.weight();
    int columns = matrix.columns();
    // Rows a power of two apart would share their places in the first cache.
    int stride = (columns + 15) / 16 * 16 + 16;
    int padded = (rows + FloatTile.ROWS - 1) / FloatTile.ROWS * FloatTile.ROWS;
    int width = x.paddedTokens();
    reserve(padded * stride, padded * width);
    for (int r = 0; r < rows; r++) {
      WeightDecoder.decode(
          matrix.type(),
          matrix.data(),
          (firstRow + r) * matrix.rowBytes(),
          weights,
          r * stride,
          columns);
    }
    for (int r = rows; r < padded; r++) {
      Arrays.fill(weights, r * stride, r * stride + columns, 0);
    }
    Arrays.fill(sums, 0, padded * width, 0);
    for (int k = 0; k < columns; k += DEPTH) {
      multiplyColumns(x, k, Math.min(DEPTH, columns - k), padded, stride);
    }
    store(projection.output(), firstRow, rows, width, token, tokens);
  }

  private void reserve(int weightCount, int sumCount) {
    if (weights.length < weightCount) {
      weights = new float[weightCount];
    }
    if (sums.length < sumCount) {
      sums = new float[sumCount];
    }
  }

  private void multiplyColumns(TokenPanels x, int column, int depth, int rows, int stride) {
    int width = x.paddedTokens();
    for (int panel = 0; panel < x.count(); panel++) {
      int from = x.at(panel, column);
      int to = panel * TokenPanels.WIDTH;
      boolean wide = x.width(panel) > LENGTH;
      for (int r = 0; r < rows; r += FloatTile.ROWS) {
        int w = r * stride + column;
        int c = r * width + to;
        if (wide) {
          FloatTile.wide(weights, w, stride, x.data(), from, depth, sums, c, width);
        } else {
          FloatTile.narrow(weights, w, stride, x.data(), from, depth, sums, c, width);
        }
      }
    }
  }

  private void store(TokenTensor y, int firstRow, int rows, int width, int token, int tokens) {
    float[] target = y.data();
    for (int t = 0; t < tokens; t++) {
      int to = y.at(token + t) + firstRow;
      for (int r = 0; r < rows; r++) {
        target[to + r] = sums[r * width + t];
      }
    }
  }
}
