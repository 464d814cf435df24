package dev.gdn.kernels.vector;

import dev.gdn.core.tensor.WeightMatrix;

/** The arithmetic of a product with many tokens. Holds decoded rows; one for each worker. */
sealed interface PanelKernel permits FloatPanelKernel, ShortPanelKernel {
  /** Rows of a tile. */
  int ROWS = 6;

  /** Whether there are registers for tiles of twice as many rows. */
  boolean TALL = Tiles.WIDE;

  /** Columns that are decoded and multiplied at a time, so that they stay in the caches. */
  int DEPTH = 512;

  /** Rows a power of two apart would share their places in the first cache. */
  int STRIDE = DEPTH + 16;

  /** {@code rows} with those that fill the last tile. */
  static int padded(int rows) {
    return (rows + ROWS - 1) / ROWS * ROWS;
  }

  /** Whether the next tile has twice as many rows, where so many rows are left. */
  static boolean isTall(int rowsLeft) {
    return TALL && rowsLeft >= 2 * ROWS;
  }

  /**
   * Decodes a part of some rows.
   *
   * @param depth columns, at most {@link #DEPTH}, a whole number of blocks
   */
  void decode(WeightMatrix matrix, int firstRow, int rows, int column, int depth);

  /**
   * Multiplies what was decoded with all panels of tokens.
   *
   * @param rows a multiple of {@link #ROWS}; those that were not decoded give nothing of meaning
   * @param sums {@code [panels, rows, WIDTH]}; the products are added
   * @param sumsOfPanel sums from one panel to the next
   */
  void multiply(int panels, int column, int depth, int rows, float[] sums, int sumsOfPanel);
}
