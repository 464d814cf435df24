package dev.gdn.core.rule;

import dev.gdn.core.tensor.Rows;

/**
 * Step 2 of the chunk form, KKT: A_rj = β_r (k_r·k_j) e^(G_r−G_j) for j &lt; r, else 0. The
 * products k_r·k_j belong to a key head and serve each of its value heads.
 */
public final class KeyKeyProduct {
  private KeyKeyProduct() {}

  /**
   * k_r·k_j for j &lt; r.
   *
   * @param k {@code [tokens, keyWidth]}
   * @param products {@code [chunk, chunk]}; entries with j &lt; r &lt; tokens are written
   */
  public static void products(float[] k, float[] products, int tokens, int chunk, int keyWidth) {
    for (int r = 0; r < tokens; r++) {
      for (int j = 0; j < r; j++) {
        products[r * chunk + j] = Rows.dot(k, r * keyWidth, k, j * keyWidth, keyWidth);
      }
    }
  }

  /**
   * A of one value head.
   *
   * @param products k_r·k_j, {@code [chunk, chunk]}
   * @param decays e^(G_r−G_j), {@code [chunk, chunk]}
   * @param beta {@code [tokens]}
   * @param a {@code [chunk, chunk]}; written whole, zero from row {@code tokens} on
   */
  public static void gate(
      float[] products, float[] decays, float[] beta, float[] a, int tokens, int chunk) {
    for (int r = 0; r < chunk; r++) {
      int kept = r < tokens ? r : 0;
      for (int j = 0; j < kept; j++) {
        a[r * chunk + j] = beta[r] * products[r * chunk + j] * decays[r * chunk + j];
      }
      // Set, not multiplied by zero: what stands there may be anything.
      for (int j = kept; j < chunk; j++) {
        a[r * chunk + j] = 0;
      }
    }
  }
}
