package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.ROWS;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;

/**
 * The product of some groups of rows with few tokens: a group is read once, as it comes. One for
 * each worker.
 */
final class GroupProduct {
  private final GroupsByType groupsByType;
  private final NibbleGroups nibbleGroups = new NibbleGroups();
  private final float[] products = new float[VectorMatrixProduct.FEW_TOKENS * ROWS];

  GroupProduct(GroupsByType groupsByType) {
    this.groupsByType = groupsByType;
  }

  /**
   * Multiplies rows {@code firstRow} to {@code firstRow + rows - 1}, whole groups, with tokens
   * {@code first} to {@code first + tokens - 1}.
   *
   * @param quantized the tokens once more, for 4-bit weights
   * @param folded and once more
   */
  void multiply(
      WeightMatrix matrix,
      int firstRow,
      int rows,
      TokenTensor x,
      QuantizedTokens quantized,
      FoldedTokens folded,
      TokenTensor y,
      int first,
      int tokens) {
    byte[] data = GroupLanes.bytes(matrix);
    int columns = matrix.columns();
    if (matrix.type() == DataType.Q4_0) {
      for (int row = firstRow; row < firstRow + rows; row += ROWS) {
        nibbleGroups.multiply(
            data, GroupLanes.at(matrix, row), columns, quantized, folded, first, tokens, products);
        store(y, row, first, tokens);
      }
    } else {
      GroupedRows groups = groupsByType.of(matrix.type());
      for (int row = firstRow; row < firstRow + rows; row += ROWS) {
        groups.multiply(
            data,
            GroupLanes.at(matrix, row),
            columns,
            x.data(),
            x.at(first),
            x.tokenStride(),
            tokens,
            products);
        store(y, row, first, tokens);
      }
    }
  }

  private void store(TokenTensor y, int row, int first, int tokens) {
    for (int t = 0; t < tokens; t++) {
      System.arraycopy(products, t * ROWS, y.data(), y.at(first + t) + row, ROWS);
    }
  }
}
