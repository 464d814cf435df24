package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;

import dev.gdn.core.kernel.Projection;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import jdk.incubator.vector.FloatVector;

/** The product of some rows with few tokens: a row is read once. One for each worker. */
final class RowProduct {
  private final float[] lanes = new float[LENGTH];
  private float[] row = {};

  void multiply(Projection projection, int firstRow, int rows, TokenTensor x, int tokens) {
    WeightMatrix matrix = projection.weight();
    TokenTensor y = projection.output();
    int columns = matrix.columns();
    if (row.length < columns) {
      row = new float[columns];
    }
    for (int r = firstRow; r < firstRow + rows; r++) {
      WeightDecoder.decode(matrix.type(), matrix.data(), r * matrix.rowBytes(), row, 0, columns);
      for (int t = 0; t < tokens; t++) {
        y.data()[y.at(t) + r] = dot(row, x.data(), x.at(t), columns);
      }
    }
  }

  private float dot(float[] w, float[] x, int from, int count) {
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    int i = 0;
    for (; i <= count - 4 * LENGTH; i += 4 * LENGTH) {
      s0 = vector(w, i).fma(vector(x, from + i), s0);
      s1 = vector(w, i + LENGTH).fma(vector(x, from + i + LENGTH), s1);
      s2 = vector(w, i + 2 * LENGTH).fma(vector(x, from + i + 2 * LENGTH), s2);
      s3 = vector(w, i + 3 * LENGTH).fma(vector(x, from + i + 3 * LENGTH), s3);
    }
    for (; i <= count - LENGTH; i += LENGTH) {
      s0 = vector(w, i).fma(vector(x, from + i), s0);
    }
    s0.add(s1).add(s2.add(s3)).intoArray(lanes, 0);
    float sum = sum(lanes);
    for (; i < count; i++) {
      sum += w[i] * x[from + i];
    }
    return sum;
  }

  private static FloatVector vector(float[] array, int from) {
    return FloatVector.fromArray(FLOATS, array, from);
  }

  // FloatVector.reduceLanes may add in another order when it is compiled.
  static float sum(float[] lanes) {
    for (int half = LENGTH / 2; half > 0; half /= 2) {
      for (int i = 0; i < half; i++) {
        lanes[i] += lanes[i + half];
      }
    }
    return lanes[0];
  }
}
