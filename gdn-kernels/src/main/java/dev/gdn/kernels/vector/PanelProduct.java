package dev.gdn.kernels.vector;

import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import java.util.Arrays;

/**
 * The product of some rows with a block of many tokens: the rows are decoded once, then multiplied
 * panel by panel. One for each worker.
 */
final class PanelProduct {
  private float[] sums = {};

  /**
   * Multiplies rows {@code firstRow} to {@code firstRow + rows - 1}.
   *
   * @param panels of tokens
   * @param token the first of them in the output
   * @param tokens that the panels hold
   */
  void multiply(
      PanelKernel kernel,
      WeightMatrix matrix,
      TokenTensor y,
      int firstRow,
      int rows,
      int panels,
      int token,
      int tokens) {
    int padded = PanelKernel.padded(rows);
    int sumsOfPanel = padded * TokenPanels.WIDTH;
    if (sums.length < panels * sumsOfPanel) {
      sums = new float[panels * sumsOfPanel];
    }
    Arrays.fill(sums, 0, panels * sumsOfPanel, 0);
    for (int column = 0; column < matrix.columns(); column += PanelKernel.DEPTH) {
      int depth = Math.min(PanelKernel.DEPTH, matrix.columns() - column);
      kernel.decode(matrix, firstRow, rows, column, depth);
      kernel.multiply(panels, column, depth, padded, sums, sumsOfPanel);
    }
    store(y, firstRow, rows, token, tokens, sumsOfPanel);
  }

  private void store(
      TokenTensor y, int firstRow, int rows, int token, int tokens, int sumsOfPanel) {
    for (int t = 0; t < tokens; t++) {
      int from = t / TokenPanels.WIDTH * sumsOfPanel + t % TokenPanels.WIDTH;
      TokenPanels.collect(sums, from, rows, y.data(), y.at(token + t) + firstRow);
    }
  }
}
