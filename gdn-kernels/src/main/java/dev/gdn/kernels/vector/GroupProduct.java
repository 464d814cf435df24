package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.ROWS;

import dev.gdn.core.tensor.RowGroups;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;

/**
 * The product of some groups of rows with few tokens: a group is read once, as it comes. One for
 * each worker.
 */
final class GroupProduct {
  private final NibbleGroups groups = new NibbleGroups();
  private final float[] products = new float[VectorMatrixProduct.FEW_TOKENS * ROWS];

  /**
   * Multiplies rows {@code firstRow} to {@code firstRow + rows - 1}, whole groups, with tokens
   * {@code first} to {@code first + tokens - 1}.
   *
   * @param folded the integers of the tokens once more
   */
  void multiply(
      WeightMatrix matrix,
      int firstRow,
      int rows,
      QuantizedTokens x,
      FoldedTokens folded,
      TokenTensor y,
      int first,
      int tokens) {
    byte[] data = RowGroups.bytes(matrix);
    for (int row = firstRow; row < firstRow + rows; row += ROWS) {
      int group = RowGroups.start(matrix, row);
      groups.multiply(data, group, matrix.columns(), x, folded, first, tokens, products);
      for (int t = 0; t < tokens; t++) {
        System.arraycopy(products, t * ROWS, y.data(), y.at(first + t) + row, ROWS);
      }
    }
  }
}
