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
  private final NibbleGroups nibbles = new NibbleGroups();
  private final Q4KGroups q4k;
  private final Q5KGroups q5k;
  private final Q6KGroups q6k;
  private final float[] products = new float[VectorMatrixProduct.FEW_TOKENS * ROWS];

  GroupProduct(Q4KGroups q4k, Q5KGroups q5k, Q6KGroups q6k) {
    this.q4k = q4k;
    this.q5k = q5k;
    this.q6k = q6k;
  }

  /**
   * Multiplies rows {@code firstRow} to {@code firstRow + rows - 1}, whole groups, with tokens
   * {@code first} to {@code first + tokens - 1}.
   */
  void multiply(
      WeightMatrix matrix,
      int firstRow,
      int rows,
      GroupTokens x,
      TokenTensor y,
      int first,
      int tokens) {
    byte[] data = RowGroups.bytes(matrix);
    int headBytes = RowGroups.headBytes(matrix);
    int columns = matrix.columns();
    for (int row = firstRow; row < firstRow + rows; row += ROWS) {
      int head = RowGroups.start(matrix, row);
      int quanta = head + headBytes;
      switch (matrix.type()) {
        case Q4_0 -> nibbles.multiply(data, head, quanta, columns, x, first, tokens, products);
        case Q4_K -> q4k.multiply(data, head, quanta, columns, x, first, tokens, products);
        case Q5_K -> q5k.multiply(data, head, quanta, columns, x, first, tokens, products);
        case Q6_K -> q6k.multiply(data, head, quanta, columns, x, first, tokens, products);
        default -> throw new IllegalArgumentException("no groups of rows of " + matrix.type());
      }
      for (int t = 0; t < tokens; t++) {
        System.arraycopy(products, t * ROWS, y.data(), y.at(first + t) + row, ROWS);
      }
    }
  }
}
