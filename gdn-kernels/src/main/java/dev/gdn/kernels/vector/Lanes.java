package dev.gdn.kernels.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The float species of this machine and what follows from it, and sums over lanes.
 *
 * <p>Vectors live in local variables only: C2 keeps them in registers there, and puts them on the
 * heap in fields and across calls that it does not inline.
 */
final class Lanes {
  /** The widest species that the machine handles well. */
  static final VectorSpecies<Float> F = FloatVector.SPECIES_PREFERRED;

  /**
   * The class of every vector of floats here. What a loop leaves in a variable is cast to it before
   * it is stored: otherwise C2 asks the profile of {@link FloatVector#intoArray} for the class, and
   * where that has seen another, say in the application, it may keep the loop's sums on the heap.
   */
  static final Class<?> VECTOR = F.vectorType();

  /** Floats in a vector. */
  static final int COUNT = F.length();

  /** Columns of a panel, two vectors side by side: see {@link Tiles}. */
  static final int PANEL = 2 * COUNT;

  private Lanes() {}

  /** The smallest multiple of {@code step} that is at least {@code n}. */
  static int roundUp(int n, int step) {
    return (n + step - 1) / step * step;
  }

  /**
   * Sum of {@code COUNT} values in an order that never changes. {@link FloatVector#reduceLanes}
   * leaves the order open, and the interpreter's differs from compiled code's.
   */
  static float sum(float[] lanes, int at) {
    float a = 0;
    float b = 0;
    for (int i = 0; i < COUNT; i += 2) {
      a += lanes[at + i];
      b += lanes[at + i + 1];
    }
    return a + b;
  }

  /**
   * Σ x_i² of {@code n} values, in an order that depends on {@code n} alone: in float32, or in
   * float64 where that overflows.
   *
   * @param lanes has room for a vector
   */
  static double sumOfSquares(float[] x, int at, int n, float[] lanes) {
    squares(x, at, 0, 1, n, lanes);
    return sumOfSquares(lanes, 0, x, at, n);
  }

  /** The same for a row of which {@link #squares} has added up the whole panels. */
  static double sumOfSquares(float[] lanes, int lanesAt, float[] x, int at, int n) {
    float sum = sum(lanes, lanesAt);
    for (int i = n / PANEL * PANEL; i < n; i++) {
      sum = Math.fma(x[at + i], x[at + i], sum);
    }
    if (sum != Float.POSITIVE_INFINITY) {
      return sum;
    }
    double exact = 0;
    for (int i = at; i < at + n; i++) {
      exact += (double) x[i] * x[i];
    }
    return exact;
  }

  /**
   * Adds up the squares of rows lane by lane, as far as a row has whole panels. Row after row, so
   * that none waits until another's lanes are added up.
   *
   * @param step elements from one row to the next
   * @param lanes {@code [rows, COUNT]}
   */
  static void squares(float[] x, int at, int step, int rows, int n, float[] lanes) {
    for (int r = 0; r < rows; r++) {
      int row = at + r * step;
      FloatVector a = FloatVector.zero(F);
      FloatVector b = a;
      for (int i = 0; i <= n - PANEL; i += PANEL) {
        FloatVector v = FloatVector.fromArray(F, x, row + i);
        FloatVector w = FloatVector.fromArray(F, x, row + i + COUNT);
        a = v.fma(v, a);
        b = w.fma(w, b);
      }
      ((FloatVector) VECTOR.cast(a.add(b))).intoArray(lanes, r * COUNT);
    }
  }

  /**
   * Σ x_i y_i of {@code n} values, in an order that depends on {@code n} alone. Short rows do not
   * pay for vectors, and C2 kept these on the heap when it came to this loop in generation only.
   */
  static float dot(float[] x, int xAt, float[] y, int yAt, int n) {
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    int i = 0;
    for (; i <= n - 4; i += 4) {
      a = Math.fma(x[xAt + i], y[yAt + i], a);
      b = Math.fma(x[xAt + i + 1], y[yAt + i + 1], b);
      c = Math.fma(x[xAt + i + 2], y[yAt + i + 2], c);
      d = Math.fma(x[xAt + i + 3], y[yAt + i + 3], d);
    }
    for (; i < n; i++) {
      a = Math.fma(x[xAt + i], y[yAt + i], a);
    }
    return a + b + (c + d);
  }

  /**
   * y_i = factor · x_i. A plain loop: in some processes C2 kept the vectors of another on the heap,
   * and rows are short.
   */
  static void scale(float factor, float[] x, int xAt, float[] y, int yAt, int n) {
    for (int i = 0; i < n; i++) {
      y[yAt + i] = factor * x[xAt + i];
    }
  }

  /** y_i += factor · x_i. Likewise. */
  static void addScaled(float factor, float[] x, int xAt, float[] y, int yAt, int n) {
    for (int i = 0; i < n; i++) {
      y[yAt + i] = Math.fma(factor, x[xAt + i], y[yAt + i]);
    }
  }
}
