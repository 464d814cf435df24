package dev.gdn.kernels.vector;

import dev.gdn.core.kernel.Projection;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;

/** The product of some rows with few tokens: a row is read once. One for each worker. */
final class RowProduct {
  private final RowDot rowDot = new RowDot();
  private final NibbleDot nibbleDot = new NibbleDot();
  private float[] decoded = {};

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
    // One method for each type: C2 does not compile all of them well as parts of one.
    DataType type = projection.weight().type();
    if (type == DataType.Q4_0) {
      multiplyNibbles(projection, firstRow, rows, quantized, tokens);
    } else if (tokens == 1 && type == DataType.BF16) {
      multiplyBrainFloats(projection, firstRow, rows, x);
    } else if (tokens == 1 && type == DataType.Q8_0) {
      multiplyBytes(projection, firstRow, rows, x);
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

  private void multiplyBrainFloats(Projection projection, int firstRow, int rows, TokenTensor x) {
    WeightMatrix matrix = projection.weight();
    TokenTensor y = projection.output();
    for (int row = firstRow; row < firstRow + rows; row++) {
      long at = row * matrix.rowBytes();
      y.data()[y.offset() + row] =
          rowDot.brainFloats(matrix.data(), at, x.data(), x.offset(), matrix.columns());
    }
  }

  private void multiplyBytes(Projection projection, int firstRow, int rows, TokenTensor x) {
    WeightMatrix matrix = projection.weight();
    TokenTensor y = projection.output();
    for (int row = firstRow; row < firstRow + rows; row++) {
      long at = row * matrix.rowBytes();
      y.data()[y.offset() + row] =
          rowDot.bytes(matrix.data(), at, x.data(), x.offset(), matrix.columns());
    }
  }

  private void multiplyDecoded(
      Projection projection, int firstRow, int rows, TokenTensor x, int tokens) {
    WeightMatrix matrix = projection.weight();
    TokenTensor y = projection.output();
    for (int row = firstRow; row < firstRow + rows; row++) {
      decode(matrix, row * matrix.rowBytes());
      for (int t = 0; t < tokens; t++) {
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
