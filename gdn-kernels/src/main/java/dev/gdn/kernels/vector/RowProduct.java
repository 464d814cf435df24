package dev.gdn.kernels.vector;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;

/** The product of some rows with few tokens: a row is read once. One for each worker. */
final class RowProduct {
  private final RowDot rowDot = new RowDot();
  private final NibbleDot nibbleDot = new NibbleDot();
  private float[] decoded = {};

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
    // One method for each type: C2 does not compile all of them well as parts of one.
    DataType type = matrix.type();
    if (type == DataType.Q4_0) {
      multiplyNibbles(matrix, firstRow, rows, quantized, y, first, tokens);
    } else if (tokens == 1 && type == DataType.BF16) {
      multiplyBrainFloats(matrix, firstRow, rows, x.data(), x.at(first), y.data(), y.at(first));
    } else if (tokens == 1 && type == DataType.Q8_0) {
      multiplyBytes(matrix, firstRow, rows, x.data(), x.at(first), y.data(), y.at(first));
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

  private void multiplyBrainFloats(
      WeightMatrix matrix, int firstRow, int rows, float[] x, int xAt, float[] y, int yAt) {
    for (int row = firstRow; row < firstRow + rows; row++) {
      long at = row * matrix.rowBytes();
      y[yAt + row] = rowDot.brainFloats(matrix.data(), at, x, xAt, matrix.columns());
    }
  }

  private void multiplyBytes(
      WeightMatrix matrix, int firstRow, int rows, float[] x, int xAt, float[] y, int yAt) {
    for (int row = firstRow; row < firstRow + rows; row++) {
      long at = row * matrix.rowBytes();
      y[yAt + row] = rowDot.bytes(matrix.data(), at, x, xAt, matrix.columns());
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
    for (int row = firstRow; row < firstRow + rows; row++) {
      decode(matrix, row * matrix.rowBytes());
      for (int t = first; t < first + tokens; t++) {
        y.data()[y.at(t) + row] = rowDot.floats(decoded, 0, x.data(), x.at(t), matrix.columns());
      }
    }
  }

  private void decode(WeightMatrix matrix, long at) {
    int columns = matrix.columns();
    if (decoded.length < columns) {
      decoded = new float[columns];
    }
    WeightDecoder.decode(matrix.type(), matrix.data(), at, decoded, 0, columns);
  }
}
