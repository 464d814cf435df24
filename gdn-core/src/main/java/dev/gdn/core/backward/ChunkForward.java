package dev.gdn.core.backward;

import dev.gdn.core.rule.StateUpdate;
import dev.gdn.core.tensor.Rows;
import java.util.Arrays;

/**
 * The chunk form of one value head once more, keeping what the backward pass reads. Every kind of
 * gate is handled alike: d_r = e^(g+gk) and c_r = e^gv of each token are multiplied up along the
 * chunk, so that no gate is too large or too small. {@code D_rj} is the product of d from token j +
 * 1 to r, {@code C_rj} that of c.
 *
 * <pre>
 *   P_rj = k_r · (D_rj ∘ k_j),  j &lt; r            Q_rj = q_r · (D_rj ∘ k_j),  j ≤ r
 *   x_r = v_r − C_r0 ∘ Sᵀ(D_r0 ∘ k_r) − Σ_{j&lt;r} P_rj C_rj ∘ R_j      R_r = β_r ∘ x_r
 *   o_r = C_r0 ∘ Sᵀ(D_r0 ∘ q_r) + Σ_{j≤r} Q_rj C_rj ∘ R_j             (without the scale)
 * </pre>
 *
 * where {@code D_r0}, {@code C_r0} are the products from the first token on. The update without
 * delta term has x = v.
 */
final class ChunkForward {
  final int keyWidth;
  final int valueWidth;
  final boolean delta;

  /** Tokens of the chunk at hand. */
  int tokens;

  // Inputs, [C, K] or [C, V].
  final float[] q;
  final float[] k;
  final float[] v;
  final float[] beta;
  final float[] keyDecays;
  final float[] valueDecays;

  /** D_r0 and the product of d after token j, {@code [C, K]}. */
  final float[] keysFromEntry;

  final float[] keysToExit;

  /** C_r0, {@code [C, V]}. */
  final float[] valuesFromEntry;

  /** P and Q, {@code [C, C]}. */
  final float[] keyKey;

  final float[] queryKey;

  /** D_r0 ∘ k_r, D_r0 ∘ q_r, and k_j as it is seen from the last token, {@code [C, K]}. */
  final float[] entryKeys;

  final float[] entryQueries;
  final float[] exitKeys;

  /** What the key reads of the tokens before: v − x of the delta rule, {@code [C, V]}. */
  final float[] keyRead;

  /** What the query reads of them: o without the token itself, {@code [C, V]}. */
  final float[] queryRead;

  /** x, R and R as it has decayed at the last token, {@code [C, V]}. */
  final float[] x;

  final float[] residual;
  final float[] exitResidual;

  /** Rows that decay along with a sweep, {@code [C, max(K, V)]}. */
  final float[] sweep;

  ChunkForward(StateUpdate update, int chunk, int keyWidth, int valueWidth) {
    this.keyWidth = keyWidth;
    this.valueWidth = valueWidth;
    delta = update == StateUpdate.DELTA;
    int keys = chunk * keyWidth;
    int values = chunk * valueWidth;
    q = new float[keys];
    k = new float[keys];
    v = new float[values];
    beta = new float[values];
    keyDecays = new float[keys];
    valueDecays = new float[values];
    keysFromEntry = new float[keys];
    keysToExit = new float[keys];
    valuesFromEntry = new float[values];
    keyKey = new float[chunk * chunk];
    queryKey = new float[chunk * chunk];
    entryKeys = new float[keys];
    entryQueries = new float[keys];
    exitKeys = new float[keys];
    keyRead = new float[values];
    queryRead = new float[values];
    x = new float[values];
    residual = new float[values];
    exitResidual = new float[values];
    sweep = new float[Math.max(keys, values)];
  }

  /**
   * Runs the chunk whose inputs stand here.
   *
   * @param state S on entry, {@code [K, V]} from {@code stateAt} on
   */
  void run(float[] state, int stateAt) {
    decays();
    products();
    values(state, stateAt);
  }

  /** S' = diag(D) S diag(C) + exitKeysᵀ exitResidual, in place. */
  void advance(float[] state, int stateAt) {
    int last = tokens - 1;
    for (int i = 0; i < keyWidth; i++) {
      int row = stateAt + i * valueWidth;
      float left = keysFromEntry[last * keyWidth + i];
      Rows.scale(left, state, row, state, row, valueWidth);
      Rows.multiply(valuesFromEntry, last * valueWidth, state, row, valueWidth);
      for (int j = 0; j < tokens; j++) {
        float key = exitKeys[j * keyWidth + i];
        Rows.addScaled(key, exitResidual, j * valueWidth, state, row, valueWidth);
      }
    }
  }

  private void decays() {
    for (int r = 0; r < tokens; r++) {
      accumulate(keyDecays, keysFromEntry, r, r - 1, keyWidth);
      accumulate(valueDecays, valuesFromEntry, r, r - 1, valueWidth);
    }
    Arrays.fill(keysToExit, (tokens - 1) * keyWidth, tokens * keyWidth, 1);
    for (int j = tokens - 2; j >= 0; j--) {
      System.arraycopy(keyDecays, (j + 1) * keyWidth, keysToExit, j * keyWidth, keyWidth);
      Rows.multiply(keysToExit, (j + 1) * keyWidth, keysToExit, j * keyWidth, keyWidth);
    }
    product(k, keysFromEntry, entryKeys);
    product(q, keysFromEntry, entryQueries);
    product(k, keysToExit, exitKeys);
  }

  private static void accumulate(float[] decays, float[] products, int r, int before, int width) {
    System.arraycopy(decays, r * width, products, r * width, width);
    if (before >= 0) {
      Rows.multiply(products, before * width, products, r * width, width);
    }
  }

  private void product(float[] left, float[] right, float[] target) {
    System.arraycopy(left, 0, target, 0, tokens * keyWidth);
    Rows.multiply(right, 0, target, 0, tokens * keyWidth);
  }

  private void products() {
    int chunk = chunk();
    for (int r = 0; r < tokens; r++) {
      int row = r * keyWidth;
      for (int j = 0; j < r; j++) {
        Rows.multiply(keyDecays, row, sweep, j * keyWidth, keyWidth);
        keyKey[r * chunk + j] = Rows.dot(k, row, sweep, j * keyWidth, keyWidth);
        queryKey[r * chunk + j] = Rows.dot(q, row, sweep, j * keyWidth, keyWidth);
      }
      System.arraycopy(k, row, sweep, row, keyWidth);
      queryKey[r * chunk + r] = Rows.dot(q, row, k, row, keyWidth);
    }
  }

  private void values(float[] state, int stateAt) {
    int chunk = chunk();
    Arrays.fill(keyRead, 0, tokens * valueWidth, 0);
    Arrays.fill(queryRead, 0, tokens * valueWidth, 0);
    System.arraycopy(v, 0, x, 0, tokens * valueWidth);
    for (int r = 0; r < tokens; r++) {
      int row = r * valueWidth;
      for (int i = 0; i < keyWidth; i++) {
        int from = stateAt + i * valueWidth;
        Rows.addScaled(entryKeys[r * keyWidth + i], state, from, keyRead, row, valueWidth);
        Rows.addScaled(entryQueries[r * keyWidth + i], state, from, queryRead, row, valueWidth);
      }
      Rows.multiply(valuesFromEntry, row, keyRead, row, valueWidth);
      Rows.multiply(valuesFromEntry, row, queryRead, row, valueWidth);
      for (int j = 0; j < r; j++) {
        int known = j * valueWidth;
        Rows.multiply(valueDecays, row, exitResidual, known, valueWidth);
        Rows.addScaled(keyKey[r * chunk + j], exitResidual, known, keyRead, row, valueWidth);
        Rows.addScaled(queryKey[r * chunk + j], exitResidual, known, queryRead, row, valueWidth);
      }
      if (delta) {
        Rows.addScaled(-1, keyRead, row, x, row, valueWidth);
      }
      System.arraycopy(x, row, residual, row, valueWidth);
      Rows.multiply(beta, row, residual, row, valueWidth);
      System.arraycopy(residual, row, exitResidual, row, valueWidth);
    }
  }

  /** Elements of a row of P and Q. */
  int chunk() {
    return k.length / keyWidth;
  }
}
