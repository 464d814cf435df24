package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;
import static dev.gdn.kernels.vector.Lanes.PANEL;
import static dev.gdn.kernels.vector.Tiles.ROWS;

import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.StateUpdate;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * The part of the chunk form that the states go through, for some value columns of the value heads
 * of one key head.
 *
 * <p>The residual R = U − W S is not formed through W, U and T = (I + A)⁻¹. With U = T diag(β) V
 * and W = T diag(β e^G) K it is R = T diag(β) (V − diag(e^G) K S), hence the solution of
 *
 * <pre>(I + A) R = diag(β) (V − diag(e^G) K S)</pre>
 *
 * which forward substitution finds in half the operations of one product with T. That leaves, for
 * each token and head, 3 K V multiply-adds with the state (K S, Q S, and Kᵀ R into it) and about C
 * (K + V) in the chunk. The columns of the value are independent: each panel of them goes through
 * all steps while its part of the state, K × PANEL, is in the nearest cache.
 */
final class ChunkSweep {
  private final ValueSweep sweep = new ValueSweep();

  // The states of the value heads, [head][panel][stride of the keys, PANEL].
  private float[] states = {};
  // V and O in panels of columns, [rows, PANEL] each.
  private float[] values = {};
  private float[] outputs = {};
  // One panel of K S, then of R.
  private float[] residual = {};

  // The value columns that are computed.
  private int firstColumn;
  private int columns;

  // Elements of a row of the keys.
  private int stride;
  private int panels;

  /**
   * Reads the states.
   *
   * @param rows tokens of the longest chunk, rounded up to whole tiles
   * @param keyStride elements of a row of the keys
   * @param slice of {@code slices} that the panels of columns are dealt out to
   */
  void begin(RuleCall call, int keyHead, int rows, int keyStride, int slice, int slices) {
    int all = Panels.count(call.valueWidth());
    int firstPanel = all * slice / slices;
    panels = all * (slice + 1) / slices - firstPanel;
    firstColumn = firstPanel * PANEL;
    columns = Math.min(panels * PANEL, call.valueWidth() - firstColumn);
    stride = keyStride;
    reserve(call, rows);
    for (int n = 0; n < call.group(); n++) {
      loadState(call, call.valueHead(keyHead, n), stateAt(n));
    }
  }

  /**
   * Takes the states of a value head through a chunk.
   *
   * @param n number of the value head among those of its key head
   */
  void run(RuleCall call, ChunkDecay decay, int keyHead, int n, int first, int tokens) {
    int rows = Lanes.roundUp(tokens, ROWS);
    int head = call.valueHead(keyHead, n);
    if (call.perValue()) {
      sweep.load(call, head, first, tokens, rows, firstColumn, columns);
    }
    loadValues(call.v(), head, first, tokens, rows);
    for (int p = 0; p < panels; p++) {
      panel(call, decay, tokens, rows, stateAt(n) + p * stride * PANEL, p * rows * PANEL);
    }
    if (call.o() != null) {
      storeOutputs(call.o(), head, first, tokens, rows);
    }
  }

  /** Writes the states back. */
  void end(RuleCall call, int keyHead) {
    for (int n = 0; n < call.group(); n++) {
      storeState(call, call.valueHead(keyHead, n), stateAt(n));
    }
  }

  private int stateAt(int n) {
    return n * panels * stride * PANEL;
  }

  private void reserve(RuleCall call, int rows) {
    if (call.perValue()) {
      sweep.reserve(rows, call.valueWidth());
    }
    int size = call.group() * panels * stride * PANEL;
    if (states.length < size) {
      states = new float[size];
    }
    if (residual.length < rows * PANEL) {
      residual = new float[rows * PANEL];
    }
    if (values.length < panels * rows * PANEL) {
      values = new float[panels * rows * PANEL];
      outputs = new float[panels * rows * PANEL];
    }
  }

  /** One chunk of one panel of value columns, which stands at {@code at} in V and O. */
  private void panel(RuleCall call, ChunkDecay decay, int tokens, int rows, int state, int at) {
    int width = call.keyWidth();
    boolean delta = call.parameters().update() == StateUpdate.DELTA;
    float scale = call.parameters().scale();
    Arrays.fill(residual, 0, rows * PANEL, 0f);
    Arrays.fill(outputs, at, at + rows * PANEL, 0f);
    for (int r = 0; r < rows; r += ROWS) {
      if (delta) {
        Tiles.multiply(
            decay.entryKeys, r * stride, stride, width, states, state, residual, r * PANEL);
      }
      if (call.o() != null) {
        Tiles.multiply(
            decay.entryQueries, r * stride, stride, width, states, state, outputs, at + r * PANEL);
      }
    }
    if (call.perValue()) {
      sweep.run(decay, scale, values, at, residual, outputs, tokens);
      sweep.decay(states, state, stride);
    } else {
      rightHandSide(decay, residual, values, outputs, at, rows, scale);
      if (delta) {
        solve(decay, tokens, rows);
      }
      if (call.o() != null) {
        output(decay, rows, at);
      }
    }
    PanelRows.scale(decay.toEnd, residual, 0, residual, 0, rows);
    if (call.gates().gk() != null) {
      PanelRows.scale(decay.channels.overall, states, state, states, state, stride);
    }
    for (int i = 0; i < stride; i += ROWS) {
      Tiles.multiplyTransposed(
          decay.exitKeys, i, stride, tokens, residual, 0, states, state + i * PANEL, decay.overall);
    }
  }

  // From the right-hand side to the residual.
  private void solve(ChunkDecay decay, int tokens, int rows) {
    int matrix = decay.stride;
    for (int r = 0; r < rows; r += ROWS) {
      Tiles.multiply(decay.system, r * matrix, matrix, r, residual, 0, residual, r * PANEL);
      Substitution.solve(decay.system, r * matrix + r, matrix, residual, r * PANEL, tokens - r);
    }
  }

  // What the residual adds to the outputs.
  private void output(ChunkDecay decay, int rows, int at) {
    float[] scores = decay.scores;
    int matrix = decay.stride;
    for (int r = 0; r < rows; r += ROWS) {
      int row = r * matrix;
      int tile = r * PANEL;
      Tiles.multiply(scores, row, matrix, r, residual, 0, outputs, at + tile);
      LowerTile.multiply(scores, row + r, matrix, residual, tile, outputs, at + tile, ROWS);
    }
  }

  // residual = β (values − e^G residual) and outputs = s e^G outputs.
  static void rightHandSide(
      ChunkDecay decay,
      float[] residual,
      float[] values,
      float[] outputs,
      int at,
      int rows,
      float scale) {
    for (int r = 0; r < rows; r++) {
      float left = decay.fromStart[r];
      float beta = decay.beta[r];
      for (int i = r * PANEL; i < (r + 1) * PANEL; i += COUNT) {
        FloatVector product = FloatVector.fromArray(F, residual, i);
        FloatVector value = FloatVector.fromArray(F, values, at + i);
        value.sub(product.mul(left)).mul(beta).intoArray(residual, i);
        FloatVector output = FloatVector.fromArray(F, outputs, at + i);
        output.mul(left * scale).intoArray(outputs, at + i);
      }
    }
  }

  private void loadValues(TokenTensor v, int head, int first, int tokens, int rows) {
    int from = v.at(first, head) + firstColumn;
    Panels.putRows(v.data(), from, v.tokenStride(), tokens, columns, values, 0, rows);
  }

  private void storeOutputs(TokenTensor o, int head, int first, int tokens, int rows) {
    int to = o.at(first, head) + firstColumn;
    Panels.getRows(outputs, 0, rows, o.data(), to, o.tokenStride(), tokens, columns);
  }

  private void loadState(RuleCall call, int head, int to) {
    int width = call.valueWidth();
    int from = call.stateAt(head) + firstColumn;
    Panels.putRows(call.state(), from, width, call.keyWidth(), columns, states, to, stride);
  }

  private void storeState(RuleCall call, int head, int from) {
    int width = call.valueWidth();
    int to = call.stateAt(head) + firstColumn;
    Panels.getRows(states, from, stride, call.state(), to, width, call.keyWidth(), columns);
  }
}
