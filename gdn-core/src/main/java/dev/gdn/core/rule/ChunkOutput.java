package dev.gdn.core.rule;

import dev.gdn.core.tensor.Rows;
import java.util.Arrays;

/**
 * Step 6 of the chunk form, the output: o = s·( diag(e^G) Q S + (QKᵀ ∘ e^(G_r−G_j), j≤r) R ) with S
 * the state on entry. The products q_r·k_j belong to a key head and serve each of its value heads.
 */
public final class ChunkOutput {
  private ChunkOutput() {}

  /**
   * q_r·k_j for j ≤ r.
   *
   * @param q {@code [tokens, keyWidth]}
   * @param k {@code [tokens, keyWidth]}
   * @param products {@code [chunk, chunk]}; entries with j ≤ r &lt; tokens are written
   */
  public static void products(
      float[] q, float[] k, float[] products, int tokens, int chunk, int keyWidth) {
    for (int r = 0; r < tokens; r++) {
      for (int j = 0; j <= r; j++) {
        products[r * chunk + j] = Rows.dot(q, r * keyWidth, k, j * keyWidth, keyWidth);
      }
    }
  }

  /**
   * o of one value head.
   *
   * @param q {@code [tokens, keyWidth]}
   * @param products q_r·k_j, {@code [chunk, chunk]}
   * @param residual R, {@code [tokens, valueWidth]}
   * @param decays e^(G_r−G_j), {@code [chunk, chunk]}
   * @param entryDecays e^G, {@code [tokens]}
   * @param state S on entry to the chunk, {@code [keyWidth, valueWidth]} from {@code stateAt} on
   * @param o token {@code r} from {@code oAt + r * oStride} on, {@code valueWidth} elements each
   */
  public static void output(
      float scale,
      float[] q,
      float[] products,
      float[] residual,
      float[] decays,
      float[] entryDecays,
      float[] state,
      int stateAt,
      float[] o,
      int oAt,
      int oStride,
      int tokens,
      int chunk,
      int keyWidth,
      int valueWidth) {
    for (int r = 0; r < tokens; r++) {
      int row = oAt + r * oStride;
      Arrays.fill(o, row, row + valueWidth, 0);
      for (int i = 0; i < keyWidth; i++) {
        float factor = scale * entryDecays[r] * q[r * keyWidth + i];
        Rows.addScaled(factor, state, stateAt + i * valueWidth, o, row, valueWidth);
      }
      for (int j = 0; j <= r; j++) {
        float factor = scale * products[r * chunk + j] * decays[r * chunk + j];
        Rows.addScaled(factor, residual, j * valueWidth, o, row, valueWidth);
      }
    }
  }
}
