package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;
import static dev.gdn.kernels.vector.Lanes.PANEL;
import static dev.gdn.kernels.vector.Lanes.VECTOR;

import jdk.incubator.vector.FloatVector;

/** What the rule does to the rows of panels, element by element: see {@link Tiles}. */
final class PanelRows {
  private PanelRows() {}

  /** y_r = f_r x_r. */
  static void scale(float[] factors, float[] x, int xAt, float[] y, int yAt, int rows) {
    for (int r = 0; r < rows; r++) {
      for (int i = r * PANEL; i < (r + 1) * PANEL; i += COUNT) {
        FloatVector.fromArray(F, x, xAt + i).mul(factors[r]).intoArray(y, yAt + i);
      }
    }
  }

  /** y_r −= f_r x_r. */
  static void subtract(float[] factors, float[] x, int xAt, float[] y, int yAt, int rows) {
    for (int r = 0; r < rows; r++) {
      for (int i = r * PANEL; i < (r + 1) * PANEL; i += COUNT) {
        FloatVector product = FloatVector.fromArray(F, x, xAt + i).mul(factors[r]);
        FloatVector.fromArray(F, y, yAt + i).sub(product).intoArray(y, yAt + i);
      }
    }
  }

  /** y_r += f ∘ x_r, with a factor for each column. */
  static void addByColumns(
      float[] factors, int fAt, float[] x, int xAt, float[] y, int yAt, int rows) {
    FloatVector left = FloatVector.fromArray(F, factors, fAt);
    FloatVector right = FloatVector.fromArray(F, factors, fAt + COUNT);
    for (int i = 0; i < rows * PANEL; i += PANEL) {
      FloatVector l = FloatVector.fromArray(F, y, yAt + i);
      FloatVector r = FloatVector.fromArray(F, y, yAt + i + COUNT);
      l = FloatVector.fromArray(F, x, xAt + i).fma(left, l);
      r = FloatVector.fromArray(F, x, xAt + i + COUNT).fma(right, r);
      l.intoArray(y, yAt + i);
      r.intoArray(y, yAt + i + COUNT);
    }
  }

  /** Adds x_r · y_r to the lanes of row r, whose sum it becomes part of. */
  static void addProducts(float[] x, int xAt, float[] y, int yAt, float[] lanes, int rows) {
    for (int r = 0; r < rows; r++) {
      int i = r * PANEL;
      FloatVector sum = FloatVector.fromArray(F, lanes, r * COUNT);
      FloatVector left = FloatVector.fromArray(F, x, xAt + i);
      FloatVector right = FloatVector.fromArray(F, x, xAt + i + COUNT);
      sum = left.fma(FloatVector.fromArray(F, y, yAt + i), sum);
      sum = right.fma(FloatVector.fromArray(F, y, yAt + i + COUNT), sum);
      sum.intoArray(lanes, r * COUNT);
    }
  }

  /** The sum of the lanes of a row. */
  static double sum(float[] lanes, int row) {
    double sum = 0;
    for (int i = row * COUNT; i < (row + 1) * COUNT; i++) {
      sum += lanes[i];
    }
    return sum;
  }

  /**
   * Σ_r x_r · y_r: each lane in float32, their sum in float64.
   *
   * @param lanes scratch for two vectors
   */
  static double dot(float[] x, int xAt, float[] y, int yAt, int rows, float[] lanes) {
    sumProducts(x, xAt, y, yAt, rows, lanes);
    return sum(lanes, 0) + sum(lanes, 1);
  }

  private static void sumProducts(float[] x, int xAt, float[] y, int yAt, int rows, float[] lanes) {
    FloatVector a = FloatVector.zero(F);
    FloatVector b = a;
    for (int i = 0; i < rows * PANEL; i += PANEL) {
      FloatVector left = FloatVector.fromArray(F, x, xAt + i);
      FloatVector right = FloatVector.fromArray(F, x, xAt + i + COUNT);
      a = left.fma(FloatVector.fromArray(F, y, yAt + i), a);
      b = right.fma(FloatVector.fromArray(F, y, yAt + i + COUNT), b);
    }
    ((FloatVector) VECTOR.cast(a)).intoArray(lanes, 0);
    ((FloatVector) VECTOR.cast(b)).intoArray(lanes, COUNT);
  }

  /** Adds Σ_r x_ri y_ri to the sum of each column i, in float64. */
  static void addColumnProducts(
      float[] x, int xAt, float[] y, int yAt, int rows, double[] sums, int sumAt) {
    for (int r = 0; r < rows; r++) {
      int at = r * PANEL;
      for (int i = 0; i < PANEL; i++) {
        sums[sumAt + i] += (double) x[xAt + at + i] * y[yAt + at + i];
      }
    }
  }
}
