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
}
