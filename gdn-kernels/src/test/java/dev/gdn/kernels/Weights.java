package dev.gdn.kernels;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.RowGroups;
import dev.gdn.core.tensor.RowLayout;
import dev.gdn.core.tensor.WeightMatrix;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/** A random weight matrix as stored, at an odd address, with its values. */
record Weights(WeightMatrix matrix, float[] values) {
  static Weights random(Random random, DataType type, int rows, int columns) {
    WeightMatrix matrix =
        new WeightMatrix(
            "test", type, rows, columns, RandomBlocks.of(random, type, (long) rows * columns));
    return of(matrix);
  }

  /** The same with its rows laid out in groups. */
  Weights inGroups() {
    byte[] data = new byte[(int) matrix.data().byteSize()];
    RowGroups.arrange(matrix, data, 0, matrix.rows() / RowGroups.ROWS);
    return of(
        new WeightMatrix(
            "test",
            matrix.type(),
            matrix.rows(),
            matrix.columns(),
            RowLayout.GROUPS,
            MemorySegment.ofArray(data)));
  }

  private static Weights of(WeightMatrix matrix) {
    float[] values = new float[matrix.rows() * matrix.columns()];
    for (int r = 0; r < matrix.rows(); r++) {
      matrix.decodeRow(r, values, r * matrix.columns());
    }
    return new Weights(matrix, values);
  }
}
