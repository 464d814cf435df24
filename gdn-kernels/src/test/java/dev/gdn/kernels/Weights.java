package dev.gdn.kernels;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.WeightMatrix;
import java.util.Random;

/** A random weight matrix as stored, at an odd address, with its values. */
record Weights(WeightMatrix matrix, float[] values) {
  static Weights random(Random random, DataType type, int rows, int columns) {
    WeightMatrix matrix =
        new WeightMatrix(
            "test", type, rows, columns, RandomBlocks.of(random, type, (long) rows * columns));
    float[] values = new float[rows * columns];
    for (int r = 0; r < rows; r++) {
      matrix.decodeRow(r, values, r * columns);
    }
    return new Weights(matrix, values);
  }
}
