package dev.gdn.kernels.vector;

import dev.gdn.core.kernel.Projection;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import java.lang.foreign.MemorySegment;

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
    WeightMatrix matrix = projection.weight();
    TokenTensor y = projection.output();
    int columns = matrix.columns();
    for (int row = firstRow; row < firstRow + rows; row++) {
      long at = row * matrix.rowBytes();
      if (matrix.type() == DataType.Q4_0) {
        for (int t = 0; t < tokens; t++) {
          y.data()[y.at(t) + row] =
              nibbleDot.dot(matrix.data(), at, quantized, quantized.at(t), columns);
        }
      } else if (tokens == 1 && isReadInPlace(matrix.type())) {
        y.data()[y.offset() + row] = multiplyStored(matrix, at, x);
      } else {
        decode(matrix, at);
        for (int t = 0; t < tokens; t++) {
          y.data()[y.at(t) + row] = rowDot.floats(decoded, 0, x.data(), x.at(t), columns);
        }
      }
    }
  }

  private static boolean isReadInPlace(DataType type) {
    return type == DataType.BF16 || type == DataType.Q8_0;
  }

  private float multiplyStored(WeightMatrix matrix, long at, TokenTensor x) {
    MemorySegment data = matrix.data();
    return matrix.type() == DataType.BF16
        ? rowDot.brainFloats(data, at, x.data(), x.offset(), matrix.columns())
        : rowDot.bytes(data, at, x.data(), x.offset(), matrix.columns());
  }

  private void decode(WeightMatrix matrix, long at) {
    int columns = matrix.columns();
    if (decoded.length < columns) {
      decoded = new float[columns];
    }
    WeightDecoder.decode(matrix.type(), matrix.data(), at, decoded, 0, columns);
  }
}
