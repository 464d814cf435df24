package dev.gdn.core.rule;

import dev.gdn.core.tensor.Rows;
import java.util.Arrays;

/**
 * The recurrent form, one token of one value head: S ← e^g S; u = β (v − Sᵀk); S ← S + k uᵀ; o = s
 * Sᵀq.
 */
public final class RecurrentStep {
  private RecurrentStep() {}

  /**
   * One token.
   *
   * @param q {@code [keyWidth]}
   * @param k {@code [keyWidth]}
   * @param v {@code [valueWidth]} from {@code vAt} on
   * @param g natural logarithm of the decay, at most 0
   * @param state S, {@code [keyWidth, valueWidth]} from {@code stateAt} on, updated
   * @param o {@code [valueWidth]} from {@code oAt} on
   * @param u scratch, {@code [valueWidth]}
   */
  public static void step(
      float scale,
      float[] q,
      float[] k,
      float[] v,
      int vAt,
      float g,
      float beta,
      float[] state,
      int stateAt,
      float[] o,
      int oAt,
      float[] u,
      int keyWidth,
      int valueWidth) {
    float decay = (float) Math.exp(g);
    Arrays.fill(u, 0, valueWidth, 0);
    for (int i = 0; i < keyWidth; i++) {
      int row = stateAt + i * valueWidth;
      Rows.scale(decay, state, row, state, row, valueWidth);
      Rows.addScaled(k[i], state, row, u, 0, valueWidth);
    }
    for (int j = 0; j < valueWidth; j++) {
      u[j] = beta * (v[vAt + j] - u[j]);
    }
    Arrays.fill(o, oAt, oAt + valueWidth, 0);
    for (int i = 0; i < keyWidth; i++) {
      int row = stateAt + i * valueWidth;
      Rows.addScaled(k[i], u, 0, state, row, valueWidth);
      Rows.addScaled(scale * q[i], state, row, o, oAt, valueWidth);
    }
  }
}
