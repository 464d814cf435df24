package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;
import static dev.gdn.kernels.vector.Lanes.PANEL;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/** Copies rows of a matrix into panels of its columns, and out of them: see {@link Tiles}. */
final class Panels {
  private Panels() {}

  /** Panels of so many columns. */
  static int count(int columns) {
    return (columns + PANEL - 1) / PANEL;
  }

  /**
   * Copies a row into the panels, the last one filled up with zeros.
   *
   * @param to where the row stands in the first panel
   * @param size elements of a panel
   */
  static void put(float[] row, int at, int columns, float[] panels, int to, int size) {
    int j = 0;
    for (; j <= columns - PANEL; j += PANEL, to += size) {
      FloatVector left = FloatVector.fromArray(F, row, at + j);
      FloatVector right = FloatVector.fromArray(F, row, at + j + COUNT);
      left.intoArray(panels, to);
      right.intoArray(panels, to + COUNT);
    }
    if (j < columns) {
      System.arraycopy(row, at + j, panels, to, columns - j);
      Arrays.fill(panels, to + columns - j, to + PANEL, 0f);
    }
  }

  /** Copies a row out of the panels. */
  static void get(float[] panels, int from, int size, float[] row, int at, int columns) {
    int j = 0;
    for (; j <= columns - PANEL; j += PANEL, from += size) {
      FloatVector left = FloatVector.fromArray(F, panels, from);
      FloatVector right = FloatVector.fromArray(F, panels, from + COUNT);
      left.intoArray(row, at + j);
      right.intoArray(row, at + j + COUNT);
    }
    if (j < columns) {
      System.arraycopy(panels, from, row, at + j, columns - j);
    }
  }

  /**
   * Copies rows of a matrix into panels of {@code size} rows; what is left of these becomes zeros.
   *
   * @param stride elements from one row of the matrix to the next
   * @param to where the first panel stands
   */
  static void putRows(
      float[] matrix, int at, int stride, int rows, int columns, float[] panels, int to, int size) {
    for (int r = 0; r < rows; r++) {
      put(matrix, at + r * stride, columns, panels, to + r * PANEL, size * PANEL);
    }
    for (int p = 0; p < count(columns); p++) {
      int panel = to + p * size * PANEL;
      Arrays.fill(panels, panel + rows * PANEL, panel + size * PANEL, 0f);
    }
  }

  /** Copies them back. */
  static void getRows(
      float[] panels,
      int from,
      int size,
      float[] matrix,
      int at,
      int stride,
      int rows,
      int columns) {
    for (int r = 0; r < rows; r++) {
      get(panels, from + r * PANEL, size * PANEL, matrix, at + r * stride, columns);
    }
  }

  /**
   * Transposes rows of a matrix into panels whose columns they are.
   *
   * @param rows a multiple of 4
   * @param size rows of a panel
   */
  static void transpose(
      float[] matrix, int at, int stride, int rows, int columns, float[] panels, int size) {
    for (int row = 0; row < rows; row += 4) {
      int to = row / PANEL * size * PANEL + row % PANEL;
      transpose4(matrix, at + row * stride, stride, panels, to, columns);
    }
  }

  // Four rows at once, so that what is written stands together.
  private static void transpose4(
      float[] from, int at, int stride, float[] transposed, int to, int width) {
    int row1 = at + stride;
    int row2 = row1 + stride;
    int row3 = row2 + stride;
    for (int i = 0; i < width; i++) {
      int column = to + i * PANEL;
      transposed[column] = from[at + i];
      transposed[column + 1] = from[row1 + i];
      transposed[column + 2] = from[row2 + i];
      transposed[column + 3] = from[row3 + i];
    }
  }
}
