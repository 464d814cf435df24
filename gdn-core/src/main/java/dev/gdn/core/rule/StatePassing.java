package dev.gdn.core.rule;

import dev.gdn.core.tensor.Rows;

/**
 * Step 5 of the chunk form, from one chunk to the next: the residual R = U − W S, what the tokens
 * really write, and the new state S' = e^(G_last) S + Kᵀ diag(e^(G_last−G)) R.
 */
public final class StatePassing {
  private StatePassing() {}

  /**
   * R = U − W S.
   *
   * @param u U on entry, R on return, {@code [tokens, valueWidth]}
   * @param w {@code [tokens, keyWidth]}
   * @param state S on entry to the chunk, {@code [keyWidth, valueWidth]} from {@code stateAt} on
   */
  public static void residual(
      float[] u, float[] w, float[] state, int stateAt, int tokens, int keyWidth, int valueWidth) {
    for (int r = 0; r < tokens; r++) {
      for (int i = 0; i < keyWidth; i++) {
        int row = stateAt + i * valueWidth;
        Rows.addScaled(-w[r * keyWidth + i], state, row, u, r * valueWidth, valueWidth);
      }
    }
  }

  /**
   * S' = e^(G_last) S + Kᵀ diag(e^(G_last−G)) R.
   *
   * @param k {@code [tokens, keyWidth]}
   * @param residual R, {@code [tokens, valueWidth]}
   * @param decays e^(G_r−G_j), {@code [chunk, chunk]}: the last token's row is used
   * @param entryDecays e^G, {@code [tokens]}: the last is used
   * @param state S, replaced by S', {@code [keyWidth, valueWidth]} from {@code stateAt} on
   * @param tokens at least 1
   */
  public static void advance(
      float[] k,
      float[] residual,
      float[] decays,
      float[] entryDecays,
      float[] state,
      int stateAt,
      int tokens,
      int chunk,
      int keyWidth,
      int valueWidth) {
    int last = tokens - 1;
    for (int i = 0; i < keyWidth; i++) {
      int row = stateAt + i * valueWidth;
      Rows.scale(entryDecays[last], state, row, state, row, valueWidth);
      for (int j = 0; j < tokens; j++) {
        float factor = k[j * keyWidth + i] * decays[last * chunk + j];
        Rows.addScaled(factor, residual, j * valueWidth, state, row, valueWidth);
      }
    }
  }

  /**
   * S_ij ← d_i S_ij, the decay of the state where each key channel has its own.
   *
   * @param decays d, {@code [keyWidth]} from {@code decaysAt} on
   * @param state S, {@code [keyWidth, valueWidth]} from {@code stateAt} on
   */
  public static void decayKeys(
      float[] decays, int decaysAt, float[] state, int stateAt, int keyWidth, int valueWidth) {
    for (int i = 0; i < keyWidth; i++) {
      int row = stateAt + i * valueWidth;
      Rows.scale(decays[decaysAt + i], state, row, state, row, valueWidth);
    }
  }

  /**
   * S_ij ← d_j S_ij, the decay of the state where each value channel has its own.
   *
   * @param decays d, {@code [valueWidth]}
   * @param state S, {@code [keyWidth, valueWidth]} from {@code stateAt} on
   */
  public static void decayValues(
      float[] decays, float[] state, int stateAt, int keyWidth, int valueWidth) {
    for (int i = 0; i < keyWidth; i++) {
      Rows.multiply(decays, 0, state, stateAt + i * valueWidth, valueWidth);
    }
  }
}
