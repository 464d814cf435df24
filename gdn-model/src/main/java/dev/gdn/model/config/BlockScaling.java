package dev.gdn.model.config;

/**
 * How a checkpoint's FP8 matrices are scaled: one factor for each block.
 *
 * @param rows of a block; the last blocks of a matrix may have fewer
 * @param columns of a block; likewise
 */
public record BlockScaling(int rows, int columns) {
  /**
   * @throws IllegalArgumentException if a side is not over 0
   */
  public BlockScaling {
    Sizes.positive("rows", rows);
    Sizes.positive("columns", columns);
  }
}
