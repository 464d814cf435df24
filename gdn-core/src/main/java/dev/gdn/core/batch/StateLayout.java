package dev.gdn.core.batch;

/** How the states of a batch are stored; one is turned into the other where a batch is run. */
public enum StateLayout {
  /** {@code [N, HV, K, V]}, as everywhere else in this library. */
  KEY_FIRST,
  /** {@code [N, HV, V, K]}, as some kernels of other libraries keep it. */
  VALUE_FIRST;

  /**
   * The same states, key first, in a new array.
   *
   * @param states {@code count} matrices in this layout
   */
  float[] toKeyFirst(float[] states, int count, int keyWidth, int valueWidth) {
    return this == KEY_FIRST ? states.clone() : transpose(states, count, valueWidth, keyWidth);
  }

  /**
   * The same states in this layout; the argument may be returned.
   *
   * @param states {@code count} matrices, key first
   */
  float[] fromKeyFirst(float[] states, int count, int keyWidth, int valueWidth) {
    return this == KEY_FIRST ? states : transpose(states, count, keyWidth, valueWidth);
  }

  private static float[] transpose(float[] matrices, int count, int rows, int columns) {
    float[] transposed = new float[matrices.length];
    for (int m = 0; m < count; m++) {
      int at = m * rows * columns;
      for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
          transposed[at + c * rows + r] = matrices[at + r * columns + c];
        }
      }
    }
    return transposed;
  }
}
