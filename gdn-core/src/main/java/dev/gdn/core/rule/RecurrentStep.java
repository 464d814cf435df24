package dev.gdn.core.rule;

import dev.gdn.core.tensor.Rows;
import java.util.Arrays;

/**
 * The recurrent form, one token of one value head: S ← diag(e^(g+gk)) S diag(e^gv); u = β ∘ (v −
 * Sᵀk), or u = β ∘ v for the update without delta term; S ← S + k uᵀ; o = s Sᵀq.
 */
public final class RecurrentStep {
  private RecurrentStep() {}

  /**
   * One token.
   *
   * @param q {@code [keyWidth]}
   * @param k {@code [keyWidth]}
   * @param v {@code [valueWidth]} from {@code vAt} on
   * @param keyDecays e^(g+gk), {@code [keyWidth]}
   * @param valueDecays e^gv, {@code [valueWidth]}; null for none
   * @param beta {@code [valueWidth]}
   * @param state S, {@code [keyWidth, valueWidth]} from {@code stateAt} on, updated
   * @param o {@code [valueWidth]} from {@code oAt} on
   * @param u scratch, {@code [valueWidth]}
   */
  public static void step(
      float scale,
      StateUpdate update,
      float[] q,
      float[] k,
      float[] v,
      int vAt,
      float[] keyDecays,
      float[] valueDecays,
      float[] beta,
      float[] state,
      int stateAt,
      float[] o,
      int oAt,
      float[] u,
      int keyWidth,
      int valueWidth) {
    StatePassing.decayKeys(keyDecays, 0, state, stateAt, keyWidth, valueWidth);
    if (valueDecays != null) {
      StatePassing.decayValues(valueDecays, state, stateAt, keyWidth, valueWidth);
    }
    System.arraycopy(v, vAt, u, 0, valueWidth);
    for (int i = 0; i < keyWidth && update == StateUpdate.DELTA; i++) {
      Rows.addScaled(-k[i], state, stateAt + i * valueWidth, u, 0, valueWidth);
    }
    Rows.multiply(beta, 0, u, 0, valueWidth);
    Arrays.fill(o, oAt, oAt + valueWidth, 0);
    for (int i = 0; i < keyWidth; i++) {
      int row = stateAt + i * valueWidth;
      Rows.addScaled(k[i], u, 0, state, row, valueWidth);
      Rows.addScaled(scale * q[i], state, row, o, oAt, valueWidth);
    }
  }
}
