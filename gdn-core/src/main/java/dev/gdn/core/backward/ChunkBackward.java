package dev.gdn.core.backward;

import dev.gdn.core.tensor.Rows;
import java.util.Arrays;

/**
 * The backward pass of one chunk of one value head: from the derivatives of a loss with respect to
 * the chunk's outputs and the state it leaves to those with respect to its inputs and the state on
 * entry. Names and sums are those of {@link ChunkForward}; dX stands for the derivative by X.
 *
 * <pre>
 *   dR_j = C_last,j ∘ (exitKeys_j dS') + Σ_{r≥j} Q_rj C_rj ∘ do_r − Σ_{r&gt;j} P_rj C_rj ∘ dx_r
 *   dx_r = β_r ∘ dR_r      dv = dx      dβ_r = x_r ∘ dR_r
 *   dQ_rj = do_r · (C_rj ∘ R_j)      dP_rj = −dx_r · (C_rj ∘ R_j)
 *   dS = diag(D) dS' diag(C) + Σ_r entryQueries_r (C_r0 ∘ do_r)ᵀ − entryKeys_r (C_r0 ∘ dx_r)ᵀ
 * </pre>
 *
 * and P, Q and the copies of keys and queries give dk, dq and the derivatives by the cumulative
 * gates: where a decay e^(G_r−G_j) multiplies a term, the term times its derivative is added at r
 * and taken off at j.
 */
final class ChunkBackward {
  private final ChunkForward f;
  private final boolean valueGates;

  /** Derivatives by queries, keys and values, {@code [C, K]}, {@code [C, K]}, {@code [C, V]}. */
  final float[] dq;

  final float[] dk;
  final float[] dv;

  /** Derivatives by the betas, {@code [C, V]}. */
  final float[] dbeta;

  /** Derivatives by g + gk, {@code [C, K]}, and by gv, {@code [C, V]}, if wanted. */
  final double[] dKeyGates;

  final double[] dValueGates;

  // [C, C]
  private final float[] dKeyKey;
  private final float[] dQueryKey;
  // What later tokens give earlier ones; [C, V] and [C, K].
  private final float[] dResidual;
  private final float[] dKeysLater;
  // Derivatives by the copies, [C, K].
  private final float[] dEntryKeys;
  private final float[] dEntryQueries;
  private final float[] dExitKeys;
  // S and dS' transposed, [V, K].
  private final float[] stateTransposed;
  private final float[] dStateTransposed;
  private final float[] row;

  /**
   * @param valueGates whether derivatives by gv are wanted
   */
  ChunkBackward(ChunkForward forward, boolean valueGates) {
    f = forward;
    this.valueGates = valueGates;
    int keys = f.k.length;
    int values = f.v.length;
    dq = new float[keys];
    dk = new float[keys];
    dv = new float[values];
    dbeta = new float[values];
    dKeyGates = new double[keys];
    dValueGates = new double[values];
    dKeyKey = new float[f.keyKey.length];
    dQueryKey = new float[f.queryKey.length];
    dResidual = new float[values];
    dKeysLater = new float[keys];
    dEntryKeys = new float[keys];
    dEntryQueries = new float[keys];
    dExitKeys = new float[keys];
    stateTransposed = new float[f.keyWidth * f.valueWidth];
    dStateTransposed = new float[f.keyWidth * f.valueWidth];
    row = new float[Math.max(f.keyWidth, f.valueWidth)];
  }

  /**
   * Runs the chunk that {@link ChunkForward#run} has run.
   *
   * @param state S on entry, {@code [K, V]} from {@code stateAt} on
   * @param dOutput derivatives by o, without the scale: {@code [C, V]}
   * @param dState dS' on entry, dS on return, {@code [K, V]} from {@code dStateAt} on
   */
  void run(float[] state, int stateAt, float[] dOutput, float[] dState, int dStateAt) {
    transpose(state, stateAt, stateTransposed);
    transpose(dState, dStateAt, dStateTransposed);
    residuals(dOutput, dState, dStateAt);
    products(dOutput);
    copies(dOutput);
    keys();
    double[] keysAtExit = new double[f.keyWidth];
    double[] valuesAtExit = new double[f.valueWidth];
    stateGates(state, stateAt, dState, dStateAt, keysAtExit, valuesAtExit);
    keyGates(keysAtExit);
    if (valueGates) {
      valueGates(dOutput, dState, dStateAt, valuesAtExit);
    }
    state(dOutput, dState, dStateAt);
  }

  private void transpose(float[] matrix, int at, float[] transposed) {
    for (int i = 0; i < f.keyWidth; i++) {
      for (int j = 0; j < f.valueWidth; j++) {
        transposed[j * f.keyWidth + i] = matrix[at + i * f.valueWidth + j];
      }
    }
  }

  // dResidual_j is, until token j's turn, what the tokens after it have given: dR_j without Q_jj.
  private void residuals(float[] dOutput, float[] dState, int dStateAt) {
    int width = f.valueWidth;
    int chunk = f.chunk();
    for (int j = 0; j < f.tokens; j++) {
      fromExit(j, dState, dStateAt, dResidual, j * width);
    }
    for (int r = f.tokens - 1; r >= 0; r--) {
      int at = r * width;
      System.arraycopy(dResidual, at, row, 0, width);
      Rows.addScaled(f.queryKey[r * chunk + r], dOutput, at, row, 0, width);
      for (int j = 0; j < width; j++) {
        dbeta[at + j] = f.x[at + j] * row[j];
        dv[at + j] = f.beta[at + j] * row[j];
      }
      for (int j = 0; j < r; j++) {
        int to = j * width;
        Rows.addScaled(f.queryKey[r * chunk + j], dOutput, at, dResidual, to, width);
        if (f.delta) {
          Rows.addScaled(-f.keyKey[r * chunk + j], dv, at, dResidual, to, width);
        }
        Rows.multiply(f.valueDecays, at, dResidual, to, width);
      }
    }
  }

  // exitKeys_j dS'.
  private void fromExit(int j, float[] dState, int dStateAt, float[] target, int to) {
    Arrays.fill(target, to, to + f.valueWidth, 0);
    for (int i = 0; i < f.keyWidth; i++) {
      float key = f.exitKeys[j * f.keyWidth + i];
      Rows.addScaled(key, dState, dStateAt + i * f.valueWidth, target, to, f.valueWidth);
    }
  }

  private void products(float[] dOutput) {
    int width = f.valueWidth;
    int chunk = f.chunk();
    float[] known = f.sweep;
    for (int r = 0; r < f.tokens; r++) {
      int at = r * width;
      for (int j = 0; j < r; j++) {
        int to = j * width;
        Rows.multiply(f.valueDecays, at, known, to, width);
        dQueryKey[r * chunk + j] = Rows.dot(dOutput, at, known, to, width);
        dKeyKey[r * chunk + j] = f.delta ? -Rows.dot(dv, at, known, to, width) : 0;
      }
      System.arraycopy(f.residual, at, known, at, width);
      dQueryKey[r * chunk + r] = Rows.dot(dOutput, at, known, at, width);
    }
  }

  private void copies(float[] dOutput) {
    int keys = f.keyWidth;
    int values = f.valueWidth;
    Arrays.fill(dEntryKeys, 0, f.tokens * keys, 0);
    Arrays.fill(dEntryQueries, 0, f.tokens * keys, 0);
    Arrays.fill(dExitKeys, 0, f.tokens * keys, 0);
    for (int r = 0; r < f.tokens; r++) {
      for (int j = 0; j < values; j++) {
        int at = r * values + j;
        float left = f.valuesFromEntry[at];
        int from = j * keys;
        Rows.addScaled(left * dOutput[at], stateTransposed, from, dEntryQueries, r * keys, keys);
        if (f.delta) {
          Rows.addScaled(-left * dv[at], stateTransposed, from, dEntryKeys, r * keys, keys);
        }
        Rows.addScaled(f.exitResidual[at], dStateTransposed, from, dExitKeys, r * keys, keys);
      }
    }
  }

  // dq, dk, and of each token by itself the derivative by the cumulative gate.
  private void keys() {
    int width = f.keyWidth;
    int chunk = f.chunk();
    float[] seen = f.sweep;
    for (int r = 0; r < f.tokens; r++) {
      int at = r * width;
      Arrays.fill(dk, at, at + width, 0);
      Arrays.fill(dq, at, at + width, 0);
      for (int j = 0; j < r; j++) {
        int from = j * width;
        Rows.multiply(f.keyDecays, at, seen, from, width);
        Rows.addScaled(dKeyKey[r * chunk + j], seen, from, dk, at, width);
        Rows.addScaled(dQueryKey[r * chunk + j], seen, from, dq, at, width);
      }
      System.arraycopy(f.k, at, seen, at, width);
    }
    Arrays.fill(dKeysLater, 0, f.tokens * width, 0);
    for (int r = f.tokens - 1; r >= 0; r--) {
      int at = r * width;
      for (int j = 0; j < r; j++) {
        int to = j * width;
        Rows.addScaled(dKeyKey[r * chunk + j], f.k, at, dKeysLater, to, width);
        Rows.addScaled(dQueryKey[r * chunk + j], f.q, at, dKeysLater, to, width);
        Rows.multiply(f.keyDecays, at, dKeysLater, to, width);
      }
    }
    for (int at = 0; at < f.tokens * width; at++) {
      float own = dQueryKey[at / width * (chunk + 1)];
      float dEntryKey = dEntryKeys[at] * f.keysFromEntry[at];
      float dEntryQuery = dEntryQueries[at] * f.keysFromEntry[at];
      float dExitKey = dExitKeys[at] * f.keysToExit[at];
      float keyGate = dk[at] + dEntryKey - dKeysLater[at] - dExitKey;
      float queryGate = dq[at] + dEntryQuery;
      dKeyGates[at] = (double) f.k[at] * keyGate + (double) f.q[at] * queryGate;
      dk[at] += dEntryKey + dKeysLater[at] + dExitKey + own * f.q[at];
      dq[at] += dEntryQuery + own * f.k[at];
    }
  }

  // The decay of the state over the whole chunk.
  private void stateGates(
      float[] state, int stateAt, float[] dState, int dStateAt, double[] keys, double[] values) {
    int last = f.tokens - 1;
    for (int i = 0; i < f.keyWidth; i++) {
      double left = f.keysFromEntry[last * f.keyWidth + i];
      for (int j = 0; j < f.valueWidth; j++) {
        int at = i * f.valueWidth + j;
        double term = left * f.valuesFromEntry[last * f.valueWidth + j];
        term *= (double) state[stateAt + at] * dState[dStateAt + at];
        keys[i] += term;
        values[j] += term;
      }
    }
  }

  private void keyGates(double[] atExit) {
    int width = f.keyWidth;
    for (int at = 0; at < f.tokens * width; at++) {
      atExit[at % width] += (double) f.exitKeys[at] * dExitKeys[at];
    }
    sumFromLater(dKeyGates, atExit, width);
  }

  private void valueGates(float[] dOutput, float[] dState, int dStateAt, double[] atExit) {
    int width = f.valueWidth;
    int chunk = f.chunk();
    for (int r = 0; r < f.tokens; r++) {
      fromExit(r, dState, dStateAt, row, 0);
      for (int j = 0; j < width; j++) {
        int at = r * width + j;
        double own = f.queryKey[r * chunk + r] * f.residual[at];
        double gate = dOutput[at] * (f.output[at] - own);
        gate -= (double) dv[at] * (f.v[at] - f.x[at]);
        dValueGates[at] = gate - (double) f.residual[at] * dResidual[at];
        atExit[j] += (double) f.exitResidual[at] * row[j];
      }
    }
    sumFromLater(dValueGates, atExit, width);
  }

  // A gate is part of the cumulative gates of its token and of all later ones.
  private void sumFromLater(double[] gates, double[] atExit, int width) {
    for (int r = f.tokens - 1; r >= 0; r--) {
      for (int i = 0; i < width; i++) {
        atExit[i] += gates[r * width + i];
        gates[r * width + i] = atExit[i];
      }
    }
  }

  private void state(float[] dOutput, float[] dState, int dStateAt) {
    int last = f.tokens - 1;
    int width = f.valueWidth;
    for (int i = 0; i < f.keyWidth; i++) {
      int to = dStateAt + i * width;
      Rows.scale(f.keysFromEntry[last * f.keyWidth + i], dState, to, dState, to, width);
      Rows.multiply(f.valuesFromEntry, last * width, dState, to, width);
    }
    for (int r = 0; r < f.tokens; r++) {
      for (int j = 0; j < width; j++) {
        row[j] = f.valuesFromEntry[r * width + j] * dOutput[r * width + j];
      }
      outer(f.entryQueries, r, dState, dStateAt);
      for (int j = 0; j < width && f.delta; j++) {
        row[j] = -f.valuesFromEntry[r * width + j] * dv[r * width + j];
      }
      if (f.delta) {
        outer(f.entryKeys, r, dState, dStateAt);
      }
    }
  }

  private void outer(float[] keys, int r, float[] dState, int dStateAt) {
    for (int i = 0; i < f.keyWidth; i++) {
      int to = dStateAt + i * f.valueWidth;
      Rows.addScaled(keys[r * f.keyWidth + i], row, 0, dState, to, f.valueWidth);
    }
  }
}
