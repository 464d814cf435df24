package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.WIDTH;
import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;

import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * The product of some groups of rows with a block of many tokens: some columns of a group are
 * decoded once, then multiplied with tile after tile of tokens. One for each worker.
 */
final class GroupPanelProduct {
  private float[] sums = {};

  /**
   * Multiplies rows {@code firstRow} to {@code firstRow + rows - 1}, whole groups.
   *
   * @param token the first in the output
   * @param tokens that were laid out
   */
  void multiply(
      GroupKernel kernel,
      WeightMatrix matrix,
      TokenTensor y,
      int firstRow,
      int rows,
      int token,
      int tokens) {
    int padded = GroupKernel.padded(tokens);
    int most = GroupKernel.MOST_ROWS;
    if (sums.length < padded * most) {
      sums = new float[padded * most];
    }
    for (int row = firstRow; row < firstRow + rows; row += most) {
      int some = Math.min(most, firstRow + rows - row);
      Arrays.fill(sums, 0, padded * some, 0);
      for (int column = 0; column < matrix.columns(); column += GroupKernel.DEPTH) {
        int depth = Math.min(GroupKernel.DEPTH, matrix.columns() - column);
        kernel.decode(matrix, row, some, column, depth);
        kernel.multiply(some, padded, column, depth, sums);
      }
      store(y, row, some, token, tokens, padded);
    }
  }

  private void store(TokenTensor y, int firstRow, int rows, int token, int tokens, int padded) {
    float[] target = y.data();
    for (int t = 0; t < tokens; t++) {
      int to = y.at(token + t) + firstRow;
      for (int row = 0; row < rows; row += WIDTH) {
        int from = row * padded + t * WIDTH;
        FloatVector.fromArray(FLOATS, sums, from).intoArray(target, to + row);
        FloatVector.fromArray(FLOATS, sums, from + LENGTH).intoArray(target, to + row + LENGTH);
      }
    }
  }
}
