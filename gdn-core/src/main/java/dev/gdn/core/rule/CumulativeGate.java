package dev.gdn.core.rule;

/**
 * Step 1 of the chunk form, the cumulative gate: G_r = Σ_{i≤r} g_i, restarted in every chunk, and
 * the decays that follow from it. Sums are kept in float64: differences of large sums are then as
 * exact as the gates themselves.
 */
public final class CumulativeGate {
  /**
   * Gates below this count as this. Its exponential is 0 in float32 just as well, and differences
   * of sums stay defined where a gate is minus infinity.
   */
  public static final float FLOOR = -1e4f;

  private CumulativeGate() {}

  /**
   * G_r = Σ_{i≤r} g_i.
   *
   * @param g gates, the one of token {@code r} at {@code offset + r * stride}; at most 0
   * @param sums G, {@code [tokens]}
   */
  public static void sum(float[] g, int offset, int stride, double[] sums, int tokens) {
    double sum = 0;
    for (int r = 0; r < tokens; r++) {
      sum += Math.max(g[offset + r * stride], FLOOR);
      sums[r] = sum;
    }
  }

  /**
   * D_rj = e^(G_r−G_j) for j ≤ r, else 0: what is left at token r of what token j wrote.
   *
   * @param decays D, {@code [chunk, chunk]}, its first {@code tokens} rows are written
   */
  public static void between(double[] sums, float[] decays, int tokens, int chunk) {
    for (int r = 0; r < tokens; r++) {
      for (int j = 0; j < r; j++) {
        decays[r * chunk + j] = (float) Math.exp(sums[r] - sums[j]);
      }
      decays[r * chunk + r] = 1;
      for (int j = r + 1; j < chunk; j++) {
        decays[r * chunk + j] = 0;
      }
    }
  }

  /**
   * e^(G_r): what is left at token r of the state on entry.
   *
   * @param decays {@code [tokens]}
   */
  public static void fromEntry(double[] sums, float[] decays, int tokens) {
    for (int r = 0; r < tokens; r++) {
      decays[r] = (float) Math.exp(sums[r]);
    }
  }
}
