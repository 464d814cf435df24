package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;
import static dev.gdn.kernels.vector.Lanes.PANEL;
import static dev.gdn.kernels.vector.Lanes.VECTOR;

import jdk.incubator.vector.FloatVector;

/**
 * The products that the delta rule and attention are made of, over a tile of {@value #ROWS} rows
 * and {@link Lanes#PANEL} columns that is held in registers while the sum runs.
 *
 * <p>A <i>panel</i> is {@code [rows, PANEL]}, dense: a matrix of more columns is several panels,
 * one after the other, the last filled up with zeros. The right-hand operand and the result are
 * panels; the left-hand one is row-major with any stride.
 */
final class Tiles {
  /** Rows of a tile. */
  static final int ROWS = 8;

  // A tile of 8 rows takes 16 registers for its sums alone, of which narrow machines have no more.
  static final boolean WIDE = COUNT == 16;

  private Tiles() {}

  /**
   * c[i, :] += Σ_s a[i, s] b[s, :] for {@value #ROWS} rows.
   *
   * @param a row i stands at {@code aAt + i * aRow}
   * @param b panel of {@code steps} rows at {@code bAt}
   * @param c panel rows at {@code cAt}
   */
  static void multiply(
      float[] a, int aAt, int aRow, int steps, float[] b, int bAt, float[] c, int cAt) {
    if (WIDE) {
      multiply8(a, aAt, aRow, steps, b, bAt, c, cAt);
    } else {
      multiply4(a, aAt, aRow, steps, b, bAt, c, cAt);
      multiply4(a, aAt + 4 * aRow, aRow, steps, b, bAt, c, cAt + 4 * PANEL);
    }
  }

  /** {@link #multiply}, for the first half of the panel's columns alone. */
  static void multiplyHalf(
      float[] a, int aAt, int aRow, int steps, float[] b, int bAt, float[] c, int cAt) {
    if (steps == 0) {
      return;
    }
    int row1 = aAt + aRow;
    int row2 = row1 + aRow;
    int row3 = row2 + aRow;
    int row4 = row3 + aRow;
    int row5 = row4 + aRow;
    int row6 = row5 + aRow;
    int row7 = row6 + aRow;
    FloatVector c0 = FloatVector.fromArray(F, c, cAt);
    FloatVector c1 = FloatVector.fromArray(F, c, cAt + PANEL);
    FloatVector c2 = FloatVector.fromArray(F, c, cAt + 2 * PANEL);
    FloatVector c3 = FloatVector.fromArray(F, c, cAt + 3 * PANEL);
    FloatVector c4 = FloatVector.fromArray(F, c, cAt + 4 * PANEL);
    FloatVector c5 = FloatVector.fromArray(F, c, cAt + 5 * PANEL);
    FloatVector c6 = FloatVector.fromArray(F, c, cAt + 6 * PANEL);
    FloatVector c7 = FloatVector.fromArray(F, c, cAt + 7 * PANEL);
    for (int s = 0; s < steps; s++) {
      FloatVector x = FloatVector.fromArray(F, b, bAt + s * PANEL);
      c0 = x.fma(FloatVector.broadcast(F, a[aAt + s]), c0);
      c1 = x.fma(FloatVector.broadcast(F, a[row1 + s]), c1);
      c2 = x.fma(FloatVector.broadcast(F, a[row2 + s]), c2);
      c3 = x.fma(FloatVector.broadcast(F, a[row3 + s]), c3);
      c4 = x.fma(FloatVector.broadcast(F, a[row4 + s]), c4);
      c5 = x.fma(FloatVector.broadcast(F, a[row5 + s]), c5);
      c6 = x.fma(FloatVector.broadcast(F, a[row6 + s]), c6);
      c7 = x.fma(FloatVector.broadcast(F, a[row7 + s]), c7);
    }
    ((FloatVector) VECTOR.cast(c0)).intoArray(c, cAt);
    ((FloatVector) VECTOR.cast(c1)).intoArray(c, cAt + PANEL);
    ((FloatVector) VECTOR.cast(c2)).intoArray(c, cAt + 2 * PANEL);
    ((FloatVector) VECTOR.cast(c3)).intoArray(c, cAt + 3 * PANEL);
    ((FloatVector) VECTOR.cast(c4)).intoArray(c, cAt + 4 * PANEL);
    ((FloatVector) VECTOR.cast(c5)).intoArray(c, cAt + 5 * PANEL);
    ((FloatVector) VECTOR.cast(c6)).intoArray(c, cAt + 6 * PANEL);
    ((FloatVector) VECTOR.cast(c7)).intoArray(c, cAt + 7 * PANEL);
  }

  /**
   * c[i, :] = decay c[i, :] + Σ_s a[s, i] b[s, :] for {@value #ROWS} rows: the product with the
   * transpose of a.
   *
   * @param a row s stands at {@code aAt + s * aStep}
   * @param steps 0 leaves c as it is, without decay
   */
  static void multiplyTransposed(
      float[] a,
      int aAt,
      int aStep,
      int steps,
      float[] b,
      int bAt,
      float[] c,
      int cAt,
      float decay) {
    if (WIDE) {
      multiplyTransposed8(a, aAt, aStep, steps, b, bAt, c, cAt, decay);
    } else {
      multiplyTransposed4(a, aAt, aStep, steps, b, bAt, c, cAt, decay);
      multiplyTransposed4(a, aAt + 4, aStep, steps, b, bAt, c, cAt + 4 * PANEL, decay);
    }
  }

  private static void multiply8(
      float[] a, int aAt, int aRow, int steps, float[] b, int bAt, float[] c, int cAt) {
    if (steps == 0) {
      return;
    }
    int row1 = aAt + aRow;
    int row2 = row1 + aRow;
    int row3 = row2 + aRow;
    int row4 = row3 + aRow;
    int row5 = row4 + aRow;
    int row6 = row5 + aRow;
    int row7 = row6 + aRow;
    FloatVector c00 = FloatVector.fromArray(F, c, cAt);
    FloatVector c01 = FloatVector.fromArray(F, c, cAt + COUNT);
    FloatVector c10 = FloatVector.fromArray(F, c, cAt + PANEL);
    FloatVector c11 = FloatVector.fromArray(F, c, cAt + PANEL + COUNT);
    FloatVector c20 = FloatVector.fromArray(F, c, cAt + 2 * PANEL);
    FloatVector c21 = FloatVector.fromArray(F, c, cAt + 2 * PANEL + COUNT);
    FloatVector c30 = FloatVector.fromArray(F, c, cAt + 3 * PANEL);
    FloatVector c31 = FloatVector.fromArray(F, c, cAt + 3 * PANEL + COUNT);
    FloatVector c40 = FloatVector.fromArray(F, c, cAt + 4 * PANEL);
    FloatVector c41 = FloatVector.fromArray(F, c, cAt + 4 * PANEL + COUNT);
    FloatVector c50 = FloatVector.fromArray(F, c, cAt + 5 * PANEL);
    FloatVector c51 = FloatVector.fromArray(F, c, cAt + 5 * PANEL + COUNT);
    FloatVector c60 = FloatVector.fromArray(F, c, cAt + 6 * PANEL);
    FloatVector c61 = FloatVector.fromArray(F, c, cAt + 6 * PANEL + COUNT);
    FloatVector c70 = FloatVector.fromArray(F, c, cAt + 7 * PANEL);
    FloatVector c71 = FloatVector.fromArray(F, c, cAt + 7 * PANEL + COUNT);
    for (int s = 0; s < steps; s++) {
      FloatVector b0 = FloatVector.fromArray(F, b, bAt + s * PANEL);
      FloatVector b1 = FloatVector.fromArray(F, b, bAt + s * PANEL + COUNT);
      FloatVector x = FloatVector.broadcast(F, a[aAt + s]);
      c00 = x.fma(b0, c00);
      c01 = x.fma(b1, c01);
      x = FloatVector.broadcast(F, a[row1 + s]);
      c10 = x.fma(b0, c10);
      c11 = x.fma(b1, c11);
      x = FloatVector.broadcast(F, a[row2 + s]);
      c20 = x.fma(b0, c20);
      c21 = x.fma(b1, c21);
      x = FloatVector.broadcast(F, a[row3 + s]);
      c30 = x.fma(b0, c30);
      c31 = x.fma(b1, c31);
      x = FloatVector.broadcast(F, a[row4 + s]);
      c40 = x.fma(b0, c40);
      c41 = x.fma(b1, c41);
      x = FloatVector.broadcast(F, a[row5 + s]);
      c50 = x.fma(b0, c50);
      c51 = x.fma(b1, c51);
      x = FloatVector.broadcast(F, a[row6 + s]);
      c60 = x.fma(b0, c60);
      c61 = x.fma(b1, c61);
      x = FloatVector.broadcast(F, a[row7 + s]);
      c70 = x.fma(b0, c70);
      c71 = x.fma(b1, c71);
    }
    ((FloatVector) VECTOR.cast(c00)).intoArray(c, cAt);
    ((FloatVector) VECTOR.cast(c01)).intoArray(c, cAt + COUNT);
    ((FloatVector) VECTOR.cast(c10)).intoArray(c, cAt + PANEL);
    ((FloatVector) VECTOR.cast(c11)).intoArray(c, cAt + PANEL + COUNT);
    ((FloatVector) VECTOR.cast(c20)).intoArray(c, cAt + 2 * PANEL);
    ((FloatVector) VECTOR.cast(c21)).intoArray(c, cAt + 2 * PANEL + COUNT);
    ((FloatVector) VECTOR.cast(c30)).intoArray(c, cAt + 3 * PANEL);
    ((FloatVector) VECTOR.cast(c31)).intoArray(c, cAt + 3 * PANEL + COUNT);
    ((FloatVector) VECTOR.cast(c40)).intoArray(c, cAt + 4 * PANEL);
    ((FloatVector) VECTOR.cast(c41)).intoArray(c, cAt + 4 * PANEL + COUNT);
    ((FloatVector) VECTOR.cast(c50)).intoArray(c, cAt + 5 * PANEL);
    ((FloatVector) VECTOR.cast(c51)).intoArray(c, cAt + 5 * PANEL + COUNT);
    ((FloatVector) VECTOR.cast(c60)).intoArray(c, cAt + 6 * PANEL);
    ((FloatVector) VECTOR.cast(c61)).intoArray(c, cAt + 6 * PANEL + COUNT);
    ((FloatVector) VECTOR.cast(c70)).intoArray(c, cAt + 7 * PANEL);
    ((FloatVector) VECTOR.cast(c71)).intoArray(c, cAt + 7 * PANEL + COUNT);
  }

  private static void multiply4(
      float[] a, int aAt, int aRow, int steps, float[] b, int bAt, float[] c, int cAt) {
    if (steps == 0) {
      return;
    }
    int row1 = aAt + aRow;
    int row2 = row1 + aRow;
    int row3 = row2 + aRow;
    FloatVector c00 = FloatVector.fromArray(F, c, cAt);
    FloatVector c01 = FloatVector.fromArray(F, c, cAt + COUNT);
    FloatVector c10 = FloatVector.fromArray(F, c, cAt + PANEL);
    FloatVector c11 = FloatVector.fromArray(F, c, cAt + PANEL + COUNT);
    FloatVector c20 = FloatVector.fromArray(F, c, cAt + 2 * PANEL);
    FloatVector c21 = FloatVector.fromArray(F, c, cAt + 2 * PANEL + COUNT);
    FloatVector c30 = FloatVector.fromArray(F, c, cAt + 3 * PANEL);
    FloatVector c31 = FloatVector.fromArray(F, c, cAt + 3 * PANEL + COUNT);
    for (int s = 0; s < steps; s++) {
      FloatVector b0 = FloatVector.fromArray(F, b, bAt + s * PANEL);
      FloatVector b1 = FloatVector.fromArray(F, b, bAt + s * PANEL + COUNT);
      FloatVector x = FloatVector.broadcast(F, a[aAt + s]);
      c00 = x.fma(b0, c00);
      c01 = x.fma(b1, c01);
      x = FloatVector.broadcast(F, a[row1 + s]);
      c10 = x.fma(b0, c10);
      c11 = x.fma(b1, c11);
      x = FloatVector.broadcast(F, a[row2 + s]);
      c20 = x.fma(b0, c20);
      c21 = x.fma(b1, c21);
      x = FloatVector.broadcast(F, a[row3 + s]);
      c30 = x.fma(b0, c30);
      c31 = x.fma(b1, c31);
    }
    ((FloatVector) VECTOR.cast(c00)).intoArray(c, cAt);
    ((FloatVector) VECTOR.cast(c01)).intoArray(c, cAt + COUNT);
    ((FloatVector) VECTOR.cast(c10)).intoArray(c, cAt + PANEL);
    ((FloatVector) VECTOR.cast(c11)).intoArray(c, cAt + PANEL + COUNT);
    ((FloatVector) VECTOR.cast(c20)).intoArray(c, cAt + 2 * PANEL);
    ((FloatVector) VECTOR.cast(c21)).intoArray(c, cAt + 2 * PANEL + COUNT);
    ((FloatVector) VECTOR.cast(c30)).intoArray(c, cAt + 3 * PANEL);
    ((FloatVector) VECTOR.cast(c31)).intoArray(c, cAt + 3 * PANEL + COUNT);
  }

  private static void multiplyTransposed8(
      float[] a,
      int aAt,
      int aStep,
      int steps,
      float[] b,
      int bAt,
      float[] c,
      int cAt,
      float decay) {
    if (steps == 0) {
      return;
    }
    FloatVector c00 = FloatVector.fromArray(F, c, cAt).mul(decay);
    FloatVector c01 = FloatVector.fromArray(F, c, cAt + COUNT).mul(decay);
    FloatVector c10 = FloatVector.fromArray(F, c, cAt + PANEL).mul(decay);
    FloatVector c11 = FloatVector.fromArray(F, c, cAt + PANEL + COUNT).mul(decay);
    FloatVector c20 = FloatVector.fromArray(F, c, cAt + 2 * PANEL).mul(decay);
    FloatVector c21 = FloatVector.fromArray(F, c, cAt + 2 * PANEL + COUNT).mul(decay);
    FloatVector c30 = FloatVector.fromArray(F, c, cAt + 3 * PANEL).mul(decay);
    FloatVector c31 = FloatVector.fromArray(F, c, cAt + 3 * PANEL + COUNT).mul(decay);
    FloatVector c40 = FloatVector.fromArray(F, c, cAt + 4 * PANEL).mul(decay);
    FloatVector c41 = FloatVector.fromArray(F, c, cAt + 4 * PANEL + COUNT).mul(decay);
    FloatVector c50 = FloatVector.fromArray(F, c, cAt + 5 * PANEL).mul(decay);
    FloatVector c51 = FloatVector.fromArray(F, c, cAt + 5 * PANEL + COUNT).mul(decay);
    FloatVector c60 = FloatVector.fromArray(F, c, cAt + 6 * PANEL).mul(decay);
    FloatVector c61 = FloatVector.fromArray(F, c, cAt + 6 * PANEL + COUNT).mul(decay);
    FloatVector c70 = FloatVector.fromArray(F, c, cAt + 7 * PANEL).mul(decay);
    FloatVector c71 = FloatVector.fromArray(F, c, cAt + 7 * PANEL + COUNT).mul(decay);
    for (int s = 0; s < steps; s++) {
      int at = aAt + s * aStep;
      FloatVector b0 = FloatVector.fromArray(F, b, bAt + s * PANEL);
      FloatVector b1 = FloatVector.fromArray(F, b, bAt + s * PANEL + COUNT);
      FloatVector x = FloatVector.broadcast(F, a[at]);
      c00 = x.fma(b0, c00);
      c01 = x.fma(b1, c01);
      x = FloatVector.broadcast(F, a[at + 1]);
      c10 = x.fma(b0, c10);
      c11 = x.fma(b1, c11);
      x = FloatVector.broadcast(F, a[at + 2]);
      c20 = x.fma(b0, c20);
      c21 = x.fma(b1, c21);
      x = FloatVector.broadcast(F, a[at + 3]);
      c30 = x.fma(b0, c30);
      c31 = x.fma(b1, c31);
      x = FloatVector.broadcast(F, a[at + 4]);
      c40 = x.fma(b0, c40);
      c41 = x.fma(b1, c41);
      x = FloatVector.broadcast(F, a[at + 5]);
      c50 = x.fma(b0, c50);
      c51 = x.fma(b1, c51);
      x = FloatVector.broadcast(F, a[at + 6]);
      c60 = x.fma(b0, c60);
      c61 = x.fma(b1, c61);
      x = FloatVector.broadcast(F, a[at + 7]);
      c70 = x.fma(b0, c70);
      c71 = x.fma(b1, c71);
    }
    ((FloatVector) VECTOR.cast(c00)).intoArray(c, cAt);
    ((FloatVector) VECTOR.cast(c01)).intoArray(c, cAt + COUNT);
    ((FloatVector) VECTOR.cast(c10)).intoArray(c, cAt + PANEL);
    ((FloatVector) VECTOR.cast(c11)).intoArray(c, cAt + PANEL + COUNT);
    ((FloatVector) VECTOR.cast(c20)).intoArray(c, cAt + 2 * PANEL);
    ((FloatVector) VECTOR.cast(c21)).intoArray(c, cAt + 2 * PANEL + COUNT);
    ((FloatVector) VECTOR.cast(c30)).intoArray(c, cAt + 3 * PANEL);
    ((FloatVector) VECTOR.cast(c31)).intoArray(c, cAt + 3 * PANEL + COUNT);
    ((FloatVector) VECTOR.cast(c40)).intoArray(c, cAt + 4 * PANEL);
    ((FloatVector) VECTOR.cast(c41)).intoArray(c, cAt + 4 * PANEL + COUNT);
    ((FloatVector) VECTOR.cast(c50)).intoArray(c, cAt + 5 * PANEL);
    ((FloatVector) VECTOR.cast(c51)).intoArray(c, cAt + 5 * PANEL + COUNT);
    ((FloatVector) VECTOR.cast(c60)).intoArray(c, cAt + 6 * PANEL);
    ((FloatVector) VECTOR.cast(c61)).intoArray(c, cAt + 6 * PANEL + COUNT);
    ((FloatVector) VECTOR.cast(c70)).intoArray(c, cAt + 7 * PANEL);
    ((FloatVector) VECTOR.cast(c71)).intoArray(c, cAt + 7 * PANEL + COUNT);
  }

  private static void multiplyTransposed4(
      float[] a,
      int aAt,
      int aStep,
      int steps,
      float[] b,
      int bAt,
      float[] c,
      int cAt,
      float decay) {
    if (steps == 0) {
      return;
    }
    FloatVector c00 = FloatVector.fromArray(F, c, cAt).mul(decay);
    FloatVector c01 = FloatVector.fromArray(F, c, cAt + COUNT).mul(decay);
    FloatVector c10 = FloatVector.fromArray(F, c, cAt + PANEL).mul(decay);
    FloatVector c11 = FloatVector.fromArray(F, c, cAt + PANEL + COUNT).mul(decay);
    FloatVector c20 = FloatVector.fromArray(F, c, cAt + 2 * PANEL).mul(decay);
    FloatVector c21 = FloatVector.fromArray(F, c, cAt + 2 * PANEL + COUNT).mul(decay);
    FloatVector c30 = FloatVector.fromArray(F, c, cAt + 3 * PANEL).mul(decay);
    FloatVector c31 = FloatVector.fromArray(F, c, cAt + 3 * PANEL + COUNT).mul(decay);
    for (int s = 0; s < steps; s++) {
      int at = aAt + s * aStep;
      FloatVector b0 = FloatVector.fromArray(F, b, bAt + s * PANEL);
      FloatVector b1 = FloatVector.fromArray(F, b, bAt + s * PANEL + COUNT);
      FloatVector x = FloatVector.broadcast(F, a[at]);
      c00 = x.fma(b0, c00);
      c01 = x.fma(b1, c01);
      x = FloatVector.broadcast(F, a[at + 1]);
      c10 = x.fma(b0, c10);
      c11 = x.fma(b1, c11);
      x = FloatVector.broadcast(F, a[at + 2]);
      c20 = x.fma(b0, c20);
      c21 = x.fma(b1, c21);
      x = FloatVector.broadcast(F, a[at + 3]);
      c30 = x.fma(b0, c30);
      c31 = x.fma(b1, c31);
    }
    ((FloatVector) VECTOR.cast(c00)).intoArray(c, cAt);
    ((FloatVector) VECTOR.cast(c01)).intoArray(c, cAt + COUNT);
    ((FloatVector) VECTOR.cast(c10)).intoArray(c, cAt + PANEL);
    ((FloatVector) VECTOR.cast(c11)).intoArray(c, cAt + PANEL + COUNT);
    ((FloatVector) VECTOR.cast(c20)).intoArray(c, cAt + 2 * PANEL);
    ((FloatVector) VECTOR.cast(c21)).intoArray(c, cAt + 2 * PANEL + COUNT);
    ((FloatVector) VECTOR.cast(c30)).intoArray(c, cAt + 3 * PANEL);
    ((FloatVector) VECTOR.cast(c31)).intoArray(c, cAt + 3 * PANEL + COUNT);
  }
}
