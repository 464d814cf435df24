package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import java.lang.foreign.MemorySegment;

/** The product of some rows with few tokens: a row is read once. One for each worker. */
final class RowProduct {
  private final RowsByType rowsByType;
  private final RowSums sums = new RowSums();
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
    MemorySegment data = matrix.data();
    long rowBytes = matrix.rowBytes();
    int columns = matrix.columns();
    for (int row = firstRow; row < firstRow + rows; row += RowSums.MOST) {
      int some = Math.min(RowSums.MOST, firstRow + rows - row);
      for (int t = first; t < first + tokens; t++) {
        nibbleDot.dots(data, row * rowBytes, rowBytes, some, x, x.at(t), columns, sums.lanes());
        System.arraycopy(sums.sums(), 0, y.data(), y.at(t) + row, some);
      }
    }
  }

  private void multiplyOne(
      WeightMatrix matrix, int firstRow, int rows, float[] x, int xAt, float[] y, int yAt) {
    StoredRows stored = rowsByType.of(matrix.type());
    MemorySegment data = matrix.data();
    // Not in the loop: it divides, which takes as long as several blocks.
    long rowBytes = matrix.rowBytes();
    int columns = matrix.columns();
    for (int row = firstRow; row < firstRow + rows; row += RowSums.MOST) {
      int some = Math.min(RowSums.MOST, firstRow + rows - row);
      stored.dots(data, row * rowBytes, rowBytes, some, x, xAt, columns, sums.lanes());
      System.arraycopy(sums.sums(), 0, y, yAt + row, some);
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
    MemorySegment data = matrix.data();
    long rowBytes = matrix.rowBytes();
    int columns = matrix.columns();
    if (decoded.length < columns) {
      decoded = new float[columns];
    }
    for (int row = firstRow; row < firstRow + rows; row++) {
      stored.decode(data, row * rowBytes, decoded, 0, columns);
      for (int t = 0; t < tokens; t++) {
        RowDot.floats(decoded, 0, x.data(), x.at(first + t), columns, sums.lanes(), t * LENGTH);
      }
      float[] products = sums.sums();
      for (int t = 0; t < tokens; t++) {
        y.data()[y.at(first + t) + row] = products[t];
      }
    }
  }
}
