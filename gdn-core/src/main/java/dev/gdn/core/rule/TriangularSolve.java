package dev.gdn.core.rule;

import dev.gdn.core.tensor.Rows;
import java.util.Arrays;

/**
 * Step 3 of the chunk form, the triangular solve: T = (I + A)⁻¹ for strictly lower triangular A.
 * The 16×16 blocks on the diagonal are inverted by forward substitution; then two neighbours are
 * merged into one of twice their size, to 32 and to 64:
 *
 * <pre>
 *   (I + A11       0  )⁻¹   (          T11            0  )
 *   (  A21    I + A22 )   = ( −T22 · A21 · T11       T22 )
 * </pre>
 */
public final class TriangularSolve {
  private static final int BLOCK = 16;

  private TriangularSolve() {}

  /** Elements of scratch that {@link #invert} needs. */
  public static int scratch(int chunk) {
    return chunk * chunk / 4;
  }

  /**
   * T = (I + A)⁻¹.
   *
   * @param a {@code [chunk, chunk]}; only what is below the diagonal is read
   * @param t {@code [chunk, chunk]}; not the same array
   * @param chunk 16, 32 or 64
   * @param scratch at least {@link #scratch} elements
   */
  public static void invert(float[] a, float[] t, int chunk, float[] scratch) {
    Arrays.fill(t, 0, chunk * chunk, 0);
    for (int at = 0; at < chunk; at += BLOCK) {
      substitute(a, t, chunk, at);
    }
    for (int size = BLOCK; size < chunk; size *= 2) {
      for (int at = 0; at < chunk; at += 2 * size) {
        merge(a, t, chunk, at, size, scratch);
      }
    }
  }

  // Row r of (I + A) T = I reads T_r = I_r − Σ_{j<r} A_rj T_j.
  private static void substitute(float[] a, float[] t, int chunk, int at) {
    for (int r = at; r < at + BLOCK; r++) {
      t[r * chunk + r] = 1;
      for (int j = at; j < r; j++) {
        Rows.addScaled(-a[r * chunk + j], t, j * chunk + at, t, r * chunk + at, j - at + 1);
      }
    }
  }

  private static void merge(float[] a, float[] t, int chunk, int at, int size, float[] product) {
    Arrays.fill(product, 0, size * size, 0);
    for (int r = 0; r < size; r++) {
      int row = (at + size + r) * chunk + at;
      for (int j = 0; j < size; j++) {
        Rows.addScaled(a[row + j], t, (at + j) * chunk + at, product, r * size, j + 1);
      }
    }
    for (int r = 0; r < size; r++) {
      int row = (at + size + r) * chunk + at;
      for (int j = 0; j <= r; j++) {
        Rows.addScaled(-t[row + size + j], product, j * size, t, row, size);
      }
    }
  }
}
