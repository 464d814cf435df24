package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;
import static dev.gdn.kernels.vector.Lanes.PANEL;

import jdk.incubator.vector.FloatVector;

/**
 * The product with a lower triangular tile. What stands above the diagonal is not read, rather than
 * multiplied as a zero: a later token that is no finite number would come out of that as NaN.
 */
final class LowerTile {
  private LowerTile() {}

  /**
   * c_i += Σ_{j≤i} a_ij x_j for {@link Tiles#ROWS} rows of a panel.
   *
   * @param a row i stands at {@code aAt + i * aRow}
   * @param tokens nothing is done if there are none
   */
  static void multiply(
      float[] a, int aAt, int aRow, float[] x, int xAt, float[] c, int cAt, int tokens) {
    if (tokens <= 0) {
      return;
    }
    int next = 4 * PANEL;
    multiply4(a, aAt, aRow, x, xAt, c, cAt);
    Substitution.eliminate4(a, aAt + 4 * aRow, aRow, x, xAt, c, cAt + next, 4);
    multiply4(a, aAt + 4 * aRow + 4, aRow, x, xAt + next, c, cAt + next);
  }

  private static void multiply4(
      float[] a, int aAt, int aRow, float[] x, int xAt, float[] c, int cAt) {
    FloatVector x00 = FloatVector.fromArray(F, x, xAt);
    FloatVector x01 = FloatVector.fromArray(F, x, xAt + COUNT);
    FloatVector x10 = FloatVector.fromArray(F, x, xAt + PANEL);
    FloatVector x11 = FloatVector.fromArray(F, x, xAt + PANEL + COUNT);
    FloatVector x20 = FloatVector.fromArray(F, x, xAt + 2 * PANEL);
    FloatVector x21 = FloatVector.fromArray(F, x, xAt + 2 * PANEL + COUNT);
    FloatVector x30 = FloatVector.fromArray(F, x, xAt + 3 * PANEL);
    FloatVector x31 = FloatVector.fromArray(F, x, xAt + 3 * PANEL + COUNT);
    FloatVector c0;
    FloatVector c1;
    FloatVector factor;
    c0 = FloatVector.fromArray(F, c, cAt);
    c1 = FloatVector.fromArray(F, c, cAt + COUNT);
    factor = FloatVector.broadcast(F, a[aAt]);
    c0 = factor.fma(x00, c0);
    c1 = factor.fma(x01, c1);
    c0.intoArray(c, cAt);
    c1.intoArray(c, cAt + COUNT);
    c0 = FloatVector.fromArray(F, c, cAt + PANEL);
    c1 = FloatVector.fromArray(F, c, cAt + PANEL + COUNT);
    factor = FloatVector.broadcast(F, a[aAt + aRow]);
    c0 = factor.fma(x00, c0);
    c1 = factor.fma(x01, c1);
    factor = FloatVector.broadcast(F, a[aAt + aRow + 1]);
    c0 = factor.fma(x10, c0);
    c1 = factor.fma(x11, c1);
    c0.intoArray(c, cAt + PANEL);
    c1.intoArray(c, cAt + PANEL + COUNT);
    c0 = FloatVector.fromArray(F, c, cAt + 2 * PANEL);
    c1 = FloatVector.fromArray(F, c, cAt + 2 * PANEL + COUNT);
    factor = FloatVector.broadcast(F, a[aAt + 2 * aRow]);
    c0 = factor.fma(x00, c0);
    c1 = factor.fma(x01, c1);
    factor = FloatVector.broadcast(F, a[aAt + 2 * aRow + 1]);
    c0 = factor.fma(x10, c0);
    c1 = factor.fma(x11, c1);
    factor = FloatVector.broadcast(F, a[aAt + 2 * aRow + 2]);
    c0 = factor.fma(x20, c0);
    c1 = factor.fma(x21, c1);
    c0.intoArray(c, cAt + 2 * PANEL);
    c1.intoArray(c, cAt + 2 * PANEL + COUNT);
    c0 = FloatVector.fromArray(F, c, cAt + 3 * PANEL);
    c1 = FloatVector.fromArray(F, c, cAt + 3 * PANEL + COUNT);
    factor = FloatVector.broadcast(F, a[aAt + 3 * aRow]);
    c0 = factor.fma(x00, c0);
    c1 = factor.fma(x01, c1);
    factor = FloatVector.broadcast(F, a[aAt + 3 * aRow + 1]);
    c0 = factor.fma(x10, c0);
    c1 = factor.fma(x11, c1);
    factor = FloatVector.broadcast(F, a[aAt + 3 * aRow + 2]);
    c0 = factor.fma(x20, c0);
    c1 = factor.fma(x21, c1);
    factor = FloatVector.broadcast(F, a[aAt + 3 * aRow + 3]);
    c0 = factor.fma(x30, c0);
    c1 = factor.fma(x31, c1);
    c0.intoArray(c, cAt + 3 * PANEL);
    c1.intoArray(c, cAt + 3 * PANEL + COUNT);
  }
}
