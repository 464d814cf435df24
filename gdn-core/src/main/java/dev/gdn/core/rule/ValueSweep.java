package dev.gdn.core.rule;

import dev.gdn.core.tensor.Rows;
import java.util.Arrays;

/**
 * Steps 3 to 6 of the chunk form where gates or betas differ from one value channel to another.
 * There is no one inverse T for all channels then. Instead the residual is found by forward
 * substitution, channel by channel; c being a value channel and Gv its cumulative gate:
 *
 * <pre>
 *   R_rc = β_rc (v_rc − e^(Gv_rc) (K S)_rc − Σ_{j&lt;r} (KKᵀ)_rj e^(Gv_rc−Gv_jc) R_jc)
 *   o_rc = s (e^(Gv_rc) (Q S)_rc + Σ_{j≤r} (QKᵀ)_rj e^(Gv_rc−Gv_jc) R_jc)
 * </pre>
 *
 * where K S, Q S, KKᵀ and QKᵀ carry the decays per head and key. The rows R_j that are known decay
 * along with the sweep, by e^gv for each token, so that no difference of sums is needed. The update
 * without delta term leaves out what stands after v_rc.
 */
public final class ValueSweep {
  private ValueSweep() {}

  /**
   * R and o of one value head.
   *
   * @param delta whether what the state gives for the key is taken off the value
   * @param keyKey k_r·k_j with its decay, {@code [chunk, chunk]}, read for j &lt; r
   * @param queryKey q_r·k_j with its decay, {@code [chunk, chunk]}, read for j ≤ r
   * @param keyState K S with its decay, {@code [tokens, valueWidth]}; not read without delta
   * @param queryState Q S with its decay, {@code [tokens, valueWidth]}
   * @param valueDecays e^gv of each token, {@code [tokens, valueWidth]}
   * @param beta {@code [tokens, valueWidth]}
   * @param residual v on entry; on return R as it has decayed at the last token, {@code [tokens,
   *     valueWidth]}
   * @param fromEntry on return e^(Gv_last), {@code [valueWidth]}
   * @param o token {@code r} from {@code oAt + r * oStride} on, {@code valueWidth} elements each
   */
  public static void run(
      float scale,
      boolean delta,
      float[] keyKey,
      float[] queryKey,
      float[] keyState,
      float[] queryState,
      float[] valueDecays,
      float[] beta,
      float[] residual,
      float[] fromEntry,
      float[] o,
      int oAt,
      int oStride,
      int tokens,
      int chunk,
      int valueWidth) {
    Arrays.fill(fromEntry, 0, valueWidth, 1);
    for (int r = 0; r < tokens; r++) {
      int row = r * valueWidth;
      int out = oAt + r * oStride;
      Rows.multiply(valueDecays, row, fromEntry, 0, valueWidth);
      Arrays.fill(o, out, out + valueWidth, 0);
      if (delta) {
        Rows.multiply(fromEntry, 0, keyState, row, valueWidth);
        Rows.addScaled(-1, keyState, row, residual, row, valueWidth);
      }
      for (int j = 0; j < r; j++) {
        int known = j * valueWidth;
        Rows.multiply(valueDecays, row, residual, known, valueWidth);
        if (delta) {
          Rows.addScaled(-keyKey[r * chunk + j], residual, known, residual, row, valueWidth);
        }
        Rows.addScaled(queryKey[r * chunk + j], residual, known, o, out, valueWidth);
      }
      Rows.multiply(beta, row, residual, row, valueWidth);
      Rows.addScaled(queryKey[r * chunk + r], residual, row, o, out, valueWidth);
      Rows.multiply(fromEntry, 0, queryState, row, valueWidth);
      Rows.addScaled(1, queryState, row, o, out, valueWidth);
      Rows.scale(scale, o, out, o, out, valueWidth);
    }
  }
}
