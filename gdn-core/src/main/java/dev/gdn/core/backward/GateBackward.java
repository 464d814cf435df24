package dev.gdn.core.backward;

import java.util.Arrays;

/**
 * Derivatives by the gates of one chunk of one value head. Where a decay e^(G_r−G_j) multiplies a
 * term, the term times its derivative is added to that by the cumulative gate at r and taken off
 * that at j. A gate is part of the cumulative gates of its token and of all later ones.
 */
final class GateBackward {
  /**
   * Derivatives by g + gk, {@code [C, K]}: {@link ChunkBackward} stores those by each token's
   * cumulative gate, without the decay up to the chunk's end.
   */
  final double[] dKeys;

  /** Derivatives by gv, {@code [C, V]}, if wanted. */
  final double[] dValues;

  private final ChunkForward f;
  private final boolean valueGates;
  // By the cumulative gate at the chunk's end, then of ever more tokens before it: [K] and [V].
  private final double[] laterKeys;
  private final double[] laterValues;
  private final float[] row;

  /**
   * @param valueGates whether derivatives by gv are wanted
   */
  GateBackward(ChunkForward forward, boolean valueGates) {
    f = forward;
    this.valueGates = valueGates;
    dKeys = new double[f.k.length];
    dValues = new double[f.v.length];
    laterKeys = new double[f.keyWidth];
    laterValues = new double[f.valueWidth];
    row = new float[f.valueWidth];
  }

  /**
   * Runs the chunk.
   *
   * @param chunk has all but dS
   * @param state S on entry, {@code [K, V]} from {@code stateAt} on
   * @param dOutput derivatives by o, without the scale: {@code [C, V]}
   * @param dState dS', {@code [K, V]} from {@code dStateAt} on
   */
  void run(
      ChunkBackward chunk,
      float[] state,
      int stateAt,
      float[] dOutput,
      float[] dState,
      int dStateAt) {
    Arrays.fill(laterKeys, 0);
    Arrays.fill(laterValues, 0);
    stateDecay(state, stateAt, dState, dStateAt);
    for (int at = 0; at < f.tokens * f.keyWidth; at++) {
      laterKeys[at % f.keyWidth] += (double) f.exitKeys[at] * chunk.dExitKeys[at];
    }
    sumFromLater(dKeys, laterKeys, f.keyWidth);
    if (valueGates) {
      values(chunk, dOutput, dState, dStateAt);
      sumFromLater(dValues, laterValues, f.valueWidth);
    }
  }

  // The decay of the state over the whole chunk.
  private void stateDecay(float[] state, int stateAt, float[] dState, int dStateAt) {
    int last = f.tokens - 1;
    for (int i = 0; i < f.keyWidth; i++) {
      double left = f.keysFromEntry[last * f.keyWidth + i];
      for (int j = 0; j < f.valueWidth; j++) {
        int at = i * f.valueWidth + j;
        double term = left * f.valuesFromEntry[last * f.valueWidth + j];
        term *= (double) state[stateAt + at] * dState[dStateAt + at];
        laterKeys[i] += term;
        laterValues[j] += term;
      }
    }
  }

  private void values(ChunkBackward chunk, float[] dOutput, float[] dState, int dStateAt) {
    for (int r = 0; r < f.tokens; r++) {
      chunk.fromExit(r, dState, dStateAt, row, 0);
      for (int j = 0; j < f.valueWidth; j++) {
        int at = r * f.valueWidth + j;
        double gate = (double) dOutput[at] * f.queryRead[at];
        if (f.delta) {
          gate -= (double) chunk.dv[at] * f.keyRead[at];
        }
        dValues[at] = gate - (double) f.residual[at] * chunk.dResidual[at];
        laterValues[j] += (double) f.exitResidual[at] * row[j];
      }
    }
  }

  private void sumFromLater(double[] gates, double[] later, int width) {
    for (int r = f.tokens - 1; r >= 0; r--) {
      for (int i = 0; i < width; i++) {
        later[i] += gates[r * width + i];
        gates[r * width + i] = later[i];
      }
    }
  }
}
