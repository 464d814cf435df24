package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;
import static dev.gdn.kernels.vector.Lanes.PANEL;

import jdk.incubator.vector.FloatVector;

/** Forward substitution within a tile, and backward with the transpose. */
final class Substitution {
  private Substitution() {}

  /**
   * Solves (I − a) x = c in place for four rows of a panel, where a is strictly lower triangular:
   * c_i += Σ_{j<i} a_ij c_j, row by row.
   *
   * @param a row i stands at {@code aAt + i * aRow}; what stands on and above the diagonal is not
   *     read
   * @param tokens rows that are not filling; nothing is done if there are none
   */
  static void solve4(float[] a, int aAt, int aRow, float[] c, int cAt, int tokens) {
    if (tokens <= 0) {
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
    FloatVector x = FloatVector.broadcast(F, a[row1]);
    c10 = x.fma(c00, c10);
    c11 = x.fma(c01, c11);
    x = FloatVector.broadcast(F, a[row2]);
    c20 = x.fma(c00, c20);
    c21 = x.fma(c01, c21);
    x = FloatVector.broadcast(F, a[row2 + 1]);
    c20 = x.fma(c10, c20);
    c21 = x.fma(c11, c21);
    x = FloatVector.broadcast(F, a[row3]);
    c30 = x.fma(c00, c30);
    c31 = x.fma(c01, c31);
    x = FloatVector.broadcast(F, a[row3 + 1]);
    c30 = x.fma(c10, c30);
    c31 = x.fma(c11, c31);
    x = FloatVector.broadcast(F, a[row3 + 2]);
    c30 = x.fma(c20, c30);
    c31 = x.fma(c21, c31);
    c00.intoArray(c, cAt);
    c01.intoArray(c, cAt + COUNT);
    c10.intoArray(c, cAt + PANEL);
    c11.intoArray(c, cAt + PANEL + COUNT);
    c20.intoArray(c, cAt + 2 * PANEL);
    c21.intoArray(c, cAt + 2 * PANEL + COUNT);
    c30.intoArray(c, cAt + 3 * PANEL);
    c31.intoArray(c, cAt + 3 * PANEL + COUNT);
  }

  /** The same for {@link Tiles#ROWS} rows. */
  static void solve(float[] a, int aAt, int aRow, float[] c, int cAt, int tokens) {
    solve4(a, aAt, aRow, c, cAt, tokens);
    eliminate4(a, aAt + 4 * aRow, aRow, c, cAt, c, cAt + 4 * PANEL, Math.min(4, tokens - 4));
    solve4(a, aAt + 4 * aRow + 4, aRow, c, cAt + 4 * PANEL, tokens - 4);
  }

  /** c_i += Σ_{j<4} a_ij x_j for some rows of c, each as long as those of x. */
  static void eliminate4(
      float[] a, int aAt, int aRow, float[] x, int xAt, float[] c, int cAt, int rows) {
    if (rows <= 0) {
      return;
    }
    FloatVector b00 = FloatVector.fromArray(F, x, xAt);
    FloatVector b01 = FloatVector.fromArray(F, x, xAt + COUNT);
    FloatVector b10 = FloatVector.fromArray(F, x, xAt + PANEL);
    FloatVector b11 = FloatVector.fromArray(F, x, xAt + PANEL + COUNT);
    FloatVector b20 = FloatVector.fromArray(F, x, xAt + 2 * PANEL);
    FloatVector b21 = FloatVector.fromArray(F, x, xAt + 2 * PANEL + COUNT);
    FloatVector b30 = FloatVector.fromArray(F, x, xAt + 3 * PANEL);
    FloatVector b31 = FloatVector.fromArray(F, x, xAt + 3 * PANEL + COUNT);
    for (int i = 0; i < rows; i++) {
      int row = aAt + i * aRow;
      int to = cAt + i * PANEL;
      FloatVector c0 = FloatVector.fromArray(F, c, to);
      FloatVector c1 = FloatVector.fromArray(F, c, to + COUNT);
      FloatVector factor = FloatVector.broadcast(F, a[row]);
      c0 = factor.fma(b00, c0);
      c1 = factor.fma(b01, c1);
      factor = FloatVector.broadcast(F, a[row + 1]);
      c0 = factor.fma(b10, c0);
      c1 = factor.fma(b11, c1);
      factor = FloatVector.broadcast(F, a[row + 2]);
      c0 = factor.fma(b20, c0);
      c1 = factor.fma(b21, c1);
      factor = FloatVector.broadcast(F, a[row + 3]);
      c0 = factor.fma(b30, c0);
      c1 = factor.fma(b31, c1);
      c0.intoArray(c, to);
      c1.intoArray(c, to + COUNT);
    }
  }

  /**
   * Solves (I − aᵀ) x = c in place for {@link Tiles#ROWS} rows of a panel: c_i += Σ_{j>i} a_ji c_j,
   * from the last row to the first.
   */
  static void solveTransposed(float[] a, int aAt, int aRow, float[] c, int cAt) {
    solveTransposed4(a, aAt + 4 * aRow + 4, aRow, c, cAt + 4 * PANEL);
    eliminateTransposed4(a, aAt + 4 * aRow, aRow, c, cAt);
    solveTransposed4(a, aAt, aRow, c, cAt);
  }

  private static void solveTransposed4(float[] a, int aAt, int aRow, float[] c, int cAt) {
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
    FloatVector x = FloatVector.broadcast(F, a[row3 + 2]);
    c20 = x.fma(c30, c20);
    c21 = x.fma(c31, c21);
    x = FloatVector.broadcast(F, a[row3 + 1]);
    c10 = x.fma(c30, c10);
    c11 = x.fma(c31, c11);
    x = FloatVector.broadcast(F, a[row3]);
    c00 = x.fma(c30, c00);
    c01 = x.fma(c31, c01);
    x = FloatVector.broadcast(F, a[row2 + 1]);
    c10 = x.fma(c20, c10);
    c11 = x.fma(c21, c11);
    x = FloatVector.broadcast(F, a[row2]);
    c00 = x.fma(c20, c00);
    c01 = x.fma(c21, c01);
    x = FloatVector.broadcast(F, a[row1]);
    c00 = x.fma(c10, c00);
    c01 = x.fma(c11, c01);
    c00.intoArray(c, cAt);
    c01.intoArray(c, cAt + COUNT);
    c10.intoArray(c, cAt + PANEL);
    c11.intoArray(c, cAt + PANEL + COUNT);
    c20.intoArray(c, cAt + 2 * PANEL);
    c21.intoArray(c, cAt + 2 * PANEL + COUNT);
  }

  // c_i += Σ_{j<4} a_ji c_(4+j) for the four rows i at cAt.
  private static void eliminateTransposed4(float[] a, int aAt, int aRow, float[] c, int cAt) {
    FloatVector b00 = FloatVector.fromArray(F, c, cAt + 4 * PANEL);
    FloatVector b01 = FloatVector.fromArray(F, c, cAt + 4 * PANEL + COUNT);
    FloatVector b10 = FloatVector.fromArray(F, c, cAt + 5 * PANEL);
    FloatVector b11 = FloatVector.fromArray(F, c, cAt + 5 * PANEL + COUNT);
    FloatVector b20 = FloatVector.fromArray(F, c, cAt + 6 * PANEL);
    FloatVector b21 = FloatVector.fromArray(F, c, cAt + 6 * PANEL + COUNT);
    FloatVector b30 = FloatVector.fromArray(F, c, cAt + 7 * PANEL);
    FloatVector b31 = FloatVector.fromArray(F, c, cAt + 7 * PANEL + COUNT);
    for (int i = 0; i < 4; i++) {
      int column = aAt + i;
      int to = cAt + i * PANEL;
      FloatVector c0 = FloatVector.fromArray(F, c, to);
      FloatVector c1 = FloatVector.fromArray(F, c, to + COUNT);
      FloatVector x = FloatVector.broadcast(F, a[column]);
      c0 = x.fma(b00, c0);
      c1 = x.fma(b01, c1);
      x = FloatVector.broadcast(F, a[column + aRow]);
      c0 = x.fma(b10, c0);
      c1 = x.fma(b11, c1);
      x = FloatVector.broadcast(F, a[column + 2 * aRow]);
      c0 = x.fma(b20, c0);
      c1 = x.fma(b21, c1);
      x = FloatVector.broadcast(F, a[column + 3 * aRow]);
      c0 = x.fma(b30, c0);
      c1 = x.fma(b31, c1);
      c0.intoArray(c, to);
      c1.intoArray(c, to + COUNT);
    }
  }
}
