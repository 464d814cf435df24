package dev.gdn.kernels.vector;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;

/** The product of some rows with few tokens: a row is read once. One for each worker. */
final class RowProduct {
  private final RowsByType rowsByType;
  private final RowDot rowDot = new RowDot();
  private final NibbleDot nibbleDot = new NibbleDot();
  private float[] decoded = {};

  RowProduct(RowsByType rowsByType) {
    this.rowsByType = rowsByType;
  }

  /**
   * Multiplies rows {@code firstRow} to {@code firstRow + rows - 1} with tokens {@code first} to
   * {@code first + tokens - 1}.
   *
   * @param quantized the tokens once more, for 4-bit weights
   */
  void multiply(
      WeightMatrix matrix,
      int firstRow,
      int rows,
      TokenTensor x,
      QuantizedTokens quantized,
      TokenTensor y,
      int first,
      int tokens) {
    if (matrix.type() == DataType.Q4_0) {
      multiplyNibbles(matrix, firstRow, rows, quantized, y, first, tokens);
    } else if (tokens == 1) {
      multiplyOne(matrix, firstRow, rows, x.data(), x.at(first), y.data(), y.at(first));
    } else {
      multiplyDecoded(matrix, firstRow, rows, x, y, first, tokens);
    }
  }

  private void multiplyNibbles(
      WeightMatrix matrix,
      int firstRow,
      int rows,
      QuantizedTokens x,
      TokenTensor y,
      int first,
      int tokens) {
    for (int row = firstRow; row < firstRow + rows; row++) {
      long at = row * matrix.rowBytes();
      for (int t = first; t < first + tokens; t++) {
        y.data()[y.at(t) + row] = nibbleDot.dot(matrix.data(), at, x, x.at(t), matrix.columns());
      }
    }
  }

  private void multiplyOne(
      WeightMatrix matrix, int firstRow, int rows, float[] x, int xAt, float[] y, int yAt) {
    StoredRows stored = rowsByType.of(matrix.type());
    for (int row = firstRow; row < firstRow + rows; row++) {
      long at = row * matrix.rowBytes();
      y[yAt + row] = stored.dot(matrix.data(), at, x, xAt, matrix.columns());
    }
  }

  private void multiplyDecoded(
      WeightMatrix matrix,
      int firstRow,
      int rows,
      TokenTensor x,
      TokenTensor y,
      int first,
      int tokens) {
    StoredRows stored = rowsByType.of(matrix.type());
    int columns = matrix.columns();
    if (decoded.length < columns) {
      decoded = new float[columns];
    }
    for (int row = firstRow; row < firstRow + rows; row++) {
      stored.decode(matrix.data(), row * matrix.rowBytes(), decoded, 0, columns);
      for (int t = first; t < first + tokens; t++) {
        y.data()[y.at(t) + row] = rowDot.floats(decoded, 0, x.data(), x.at(t), columns);
      }
    }
  }
}
