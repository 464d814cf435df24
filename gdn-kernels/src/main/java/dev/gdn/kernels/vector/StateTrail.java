package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.PANEL;
import static dev.gdn.kernels.vector.Tiles.ROWS;

import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.StateUpdate;
import java.util.Arrays;

/**
 * The forward pass of one value head, which leaves behind what the backward pass starts from: for
 * each chunk the state on entry, and x, of which the residual is R = diag(β) x. It is the solution
 * of
 *
 * <pre>(I + P diag(β)) x = V − diag(e^G) K S,      P_rj = e^(G_r−G_j) k_r·k_j for j &lt; r</pre>
 *
 * and, unlike R, has what β is multiplied by where β is 0.
 */
final class StateTrail {
  /** For each chunk S in panels of columns, {@code [stride of the keys, PANEL]} each. */
  float[][] states = {};

  /** For each chunk x in panels of columns, {@code [rows, PANEL]} each. */
  float[][] values = {};

  private final ChunkKeys keys;
  private final ChunkDecay decay;
  private final ScoreBackward scores;
  // One panel of K S, then of the residual as it is left after the chunk; β e^(G_last−G).
  private float[] product = {};
  private float[] toEnd = {};

  StateTrail(ChunkKeys keys, ChunkDecay decay, ScoreBackward scores) {
    this.keys = keys;
    this.decay = decay;
    this.scores = scores;
  }

  /** Makes room for all chunks of a sequence. */
  void reserve(int chunks, int rows, int panels) {
    if (values.length < chunks) {
      states = Arrays.copyOf(states, chunks);
      values = Arrays.copyOf(values, chunks);
    }
    for (int c = 0; c < chunks; c++) {
      if (states[c] == null || states[c].length < panels * keys.stride * PANEL) {
        states[c] = new float[panels * keys.stride * PANEL];
      }
      if (values[c] == null || values[c].length < panels * rows * PANEL) {
        values[c] = new float[panels * rows * PANEL];
      }
    }
    if (toEnd.length < rows) {
      product = new float[rows * PANEL];
      toEnd = new float[rows];
    }
  }

  /** Runs all tokens of a value head. */
  void run(RuleCall call, int keyHead, int head, int total) {
    int width = call.valueWidth();
    int chunk = call.parameters().chunk();
    Panels.putRows(
        call.state(), call.stateAt(head), width, call.keyWidth(), width, states[0], 0, keys.stride);
    for (int c = 0; c * chunk < total; c++) {
      int first = c * chunk;
      int tokens = Math.min(chunk, total - first);
      int rows = Lanes.roundUp(tokens, ROWS);
      keys.loadKeys(call, keyHead, first, tokens);
      decay.loadDecays(call, head, first, tokens);
      scores.columns(rows);
      int from = call.v().at(first, head);
      int stride = call.v().tokenStride();
      Panels.putRows(call.v().data(), from, stride, tokens, width, values[c], 0, rows);
      chunk(call, c, tokens, rows, first + tokens == total);
    }
  }

  private void chunk(RuleCall call, int c, int tokens, int rows, boolean last) {
    int panelSize = keys.stride * PANEL;
    for (int r = 0; r < rows; r++) {
      toEnd[r] = decay.toEnd[r] * decay.beta[r];
    }
    for (int p = 0; p < Panels.count(call.valueWidth()); p++) {
      if (call.parameters().update() == StateUpdate.DELTA) {
        solve(call.keyWidth(), states[c], p * panelSize, values[c], p * rows * PANEL, tokens);
      }
      if (!last) {
        System.arraycopy(states[c], p * panelSize, states[c + 1], p * panelSize, panelSize);
        advance(states[c + 1], p * panelSize, values[c], p * rows * PANEL, tokens);
      }
    }
  }

  // From V to x.
  private void solve(int width, float[] state, int stateAt, float[] x, int at, int tokens) {
    int rows = Lanes.roundUp(tokens, ROWS);
    int matrix = scores.stride;
    Arrays.fill(product, 0, rows * PANEL, 0f);
    for (int r = 0; r < rows; r += ROWS) {
      Tiles.multiply(
          keys.keys, r * keys.stride, keys.stride, width, state, stateAt, product, r * PANEL);
    }
    PanelRows.subtract(decay.fromStart, product, 0, x, at, rows);
    for (int r = 0; r < rows; r += ROWS) {
      Tiles.multiply(scores.system, r * matrix, matrix, r, x, at, x, at + r * PANEL);
      Substitution.solve(scores.system, r * matrix + r, matrix, x, at + r * PANEL, tokens - r);
    }
  }

  // From S to S'.
  private void advance(float[] state, int stateAt, float[] x, int at, int tokens) {
    PanelRows.scale(toEnd, x, at, product, 0, tokens);
    for (int i = 0; i < keys.stride; i += ROWS) {
      Tiles.multiplyTransposed(
          keys.keys, i, keys.stride, tokens, product, 0, state, stateAt + i * PANEL, decay.overall);
    }
  }
}
