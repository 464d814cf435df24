package dev.gdn.kernels.vector;

import dev.gdn.core.kernel.Projection;
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
   * Multiplies rows {@code firstRow} to {@code firstRow + rows - 1}.
   *
   * @param quantized the tokens once more, for 4-bit weights
   */
  void multiply(
      Projection projection,
      int firstRow,
      int rows,
      TokenTensor x,
      QuantizedTokens quantized,
      int tokens) {
    if (projection.weight().type() == DataType.Q4_0) {
      multiplyNibbles(projection, firstRow, rows, quantized, tokens);
    } else if (tokens == 1) {
      multiplyOne(projection, firstRow, rows, x);
    } else {
      multiplyDecoded(projection, firstRow, rows, x, tokens);
    }
  }

  private void multiplyNibbles(
      Projection projection, int firstRow, int rows, QuantizedTokens x, int tokens) {
    WeightMatrix matrix = projection.weight();
    TokenTensor y = projection.output();
    for (int row = firstRow; row < firstRow + rows; row++) {
      long at = row * matrix.rowBytes();
      for (int t = 0; t < tokens; t++) {
        y.data()[y.at(t) + row] = nibbleDot.dot(matrix.data(), at, x, x.at(t), matrix.columns());
      }
    }
  }

  private void multiplyOne(Projection projection, int firstRow, int rows, TokenTensor x) {
    WeightMatrix matrix = projection.weight();
    StoredRows stored = rowsByType.of(matrix.type());
    TokenTensor y = projection.output();
    for (int row = firstRow; row < firstRow + rows; row++) {
      long at = row * matrix.rowBytes();
      y.data()[y.offset() + row] =
          stored.dot(matrix.data(), at, x.data(), x.offset(), matrix.columns());
    }
  }

  private void multiplyDecoded(
      Projection projection, int firstRow, int rows, TokenTensor x, int tokens) {
    WeightMatrix matrix = projection.weight();
    StoredRows stored = rowsByType.of(matrix.type());
    TokenTensor y = projection.output();
    int columns = matrix.columns();
    if (decoded.length < columns) {
      decoded = new float[columns];
    }
    for (int row = firstRow; row < firstRow + rows; row++) {
      stored.decode(matrix.data(), row * matrix.rowBytes(), decoded, 0, columns);
      for (int t = 0; t < tokens; t++) {
        y.data()[y.at(t) + row] = rowDot.floats(decoded, 0, x.data(), x.at(t), columns);
      }
    }
  }
}
