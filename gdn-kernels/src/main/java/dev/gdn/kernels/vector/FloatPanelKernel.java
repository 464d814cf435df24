package dev.gdn.kernels.vector;

import dev.gdn.core.tensor.WeightMatrix;

/** Products in float32, whatever the weights are stored as. */
final class FloatPanelKernel implements PanelKernel {
  private final TokenPanels x;
  private final RowsByType rowsByType;
  private float[] weights = {};

  FloatPanelKernel(TokenPanels x, RowsByType rowsByType) {
    this.x = x;
    this.rowsByType = rowsByType;
  }

  @Override
  public void decode(WeightMatrix matrix, int firstRow, int rows, int column, int depth) {
    int size = PanelKernel.padded(rows) * STRIDE;
    if (weights.length < size) {
      weights = new float[size];
    }
    StoredRows stored = rowsByType.of(matrix.type());
    long from = firstRow * matrix.rowBytes() + matrix.type().bytes(column);
    for (int r = 0; r < rows; r++, from += matrix.rowBytes()) {
      stored.decode(matrix.data(), from, weights, r * STRIDE, depth);
    }
  }

  @Override
  public void multiply(int panels, int column, int depth, int rows, float[] sums, int sumsOfPanel) {
    for (int panel = 0; panel < panels; panel++) {
      boolean narrow = x.isNarrow(panel);
      int from = x.at(panel, column);
      int r = 0;
      while (r < rows) {
        int w = r * STRIDE;
        int c = panel * sumsOfPanel + r * TokenPanels.WIDTH;
        if (narrow) {
          FloatTile.narrow(weights, w, STRIDE, x.data(), from, depth, sums, c);
          r += ROWS;
        } else if (PanelKernel.isTall(rows - r)) {
          TallFloatTile.multiply(weights, w, STRIDE, x.data(), from, depth, sums, c);
          r += 2 * ROWS;
        } else {
          FloatTile.wide(weights, w, STRIDE, x.data(), from, depth, sums, c);
          r += ROWS;
        }
      }
    }
  }
}
