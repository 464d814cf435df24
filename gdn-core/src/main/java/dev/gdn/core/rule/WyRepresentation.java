package dev.gdn.core.rule;

import dev.gdn.core.tensor.Rows;
import java.util.Arrays;

/**
 * Step 4 of the chunk form, the WY representation: U = T diag(β) V and W = T diag(β e^G) K. U is
 * what the chunk's tokens would write into an empty state; W tells what a state on entry takes off
 * it.
 */
public final class WyRepresentation {
  private WyRepresentation() {}

  /**
   * U = T diag(β) V.
   *
   * @param t {@code [chunk, chunk]}
   * @param beta {@code [tokens]}
   * @param v {@code [tokens, valueWidth]}
   * @param u {@code [tokens, valueWidth]}
   */
  public static void u(
      float[] t, float[] beta, float[] v, float[] u, int tokens, int chunk, int valueWidth) {
    Arrays.fill(u, 0, tokens * valueWidth, 0);
    for (int r = 0; r < tokens; r++) {
      for (int j = 0; j <= r; j++) {
        float factor = t[r * chunk + j] * beta[j];
        Rows.addScaled(factor, v, j * valueWidth, u, r * valueWidth, valueWidth);
      }
    }
  }

  /**
   * W = T diag(β e^G) K.
   *
   * @param t {@code [chunk, chunk]}
   * @param beta {@code [tokens]}
   * @param entryDecays e^G, {@code [tokens]}
   * @param k {@code [tokens, keyWidth]}
   * @param w {@code [tokens, keyWidth]}
   */
  public static void w(
      float[] t,
      float[] beta,
      float[] entryDecays,
      float[] k,
      float[] w,
      int tokens,
      int chunk,
      int keyWidth) {
    Arrays.fill(w, 0, tokens * keyWidth, 0);
    for (int r = 0; r < tokens; r++) {
      for (int j = 0; j <= r; j++) {
        float factor = t[r * chunk + j] * (beta[j] * entryDecays[j]);
        Rows.addScaled(factor, k, j * keyWidth, w, r * keyWidth, keyWidth);
      }
    }
  }
}
