package dev.gdn.kernels.vector;

import dev.gdn.core.tensor.WeightMatrix;

/**
 * The arithmetic of a product of groups of rows with many tokens: rows stand in the lanes of a
 * tile, tokens are its rows. Holds decoded weights; one for each worker.
 */
sealed interface GroupKernel permits FloatGroupKernel, ShortGroupKernel {
  /** Tokens of a tile. */
  int TOKENS = PanelKernel.ROWS;

  /** The most rows that are multiplied at a time: what of them is decoded fits the second cache. */
  int MOST_ROWS = 4 * GroupLanes.ROWS;

  /** Columns that are decoded and multiplied at a time. */
  int DEPTH = 512;

  /** Tokens a power of two apart would share their places in the first cache. */
  int STRIDE = DEPTH + 16;

  /** {@code tokens} with those that fill the last tile. */
  static int padded(int tokens) {
    return (tokens + TOKENS - 1) / TOKENS * TOKENS;
  }

  /**
   * Decodes some columns of some groups.
   *
   * @param firstRow of the first group
   * @param rows whole groups, at most {@link #MOST_ROWS}
   * @param depth columns, at most {@link #DEPTH}, a whole number of blocks
   */
  void decode(WeightMatrix matrix, int firstRow, int rows, int column, int depth);

  /**
   * Multiplies what was decoded with all tokens.
   *
   * @param rows that were decoded
   * @param tokens a multiple of {@link #TOKENS}; those that were not laid out give nothing of
   *     meaning
   * @param sums {@code [rows / WIDTH, tokens, WIDTH]}; the products are added
   */
  void multiply(int rows, int tokens, int column, int depth, float[] sums);
}
