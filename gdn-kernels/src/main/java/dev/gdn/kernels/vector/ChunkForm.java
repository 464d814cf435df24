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
 * The chunk form of the gated delta rule for one key head and its value heads, with the scratch of
 * one worker.
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
final class ChunkForm {
  private final ChunkKeys keys = new ChunkKeys();
  private final ChunkDecay decay = new ChunkDecay();
  private final ChannelDecay channels = new ChannelDecay();
  private final ValueSweep sweep = new ValueSweep();

  // Q and K as they meet the state, and K as it goes into it: those of the key head, or copies that
  // have decayed.
  private float[] entryQueries;
  private float[] entryKeys;
  private float[] exitKeys;

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

  /**
   * Runs all tokens of a key head, for some value columns.
   *
   * @param slice of {@code slices} that the panels of columns are dealt out to
   */
  void run(RuleCall call, int total, int keyHead, int slice, int slices) {
    int chunk = call.parameters().chunk();
    int rows = Lanes.roundUp(Math.min(chunk, total), ROWS);
    int all = Panels.count(call.valueWidth());
    int firstPanel = all * slice / slices;
    int panels = all * (slice + 1) / slices - firstPanel;
    firstColumn = firstPanel * PANEL;
    columns = Math.min(panels * PANEL, call.valueWidth() - firstColumn);
    reserve(call, rows, panels);
    int panelSize = keys.stride * PANEL;
    for (int n = 0; n < call.group(); n++) {
      loadState(call, call.valueHead(keyHead, n), n * panels * panelSize);
    }
    for (int first = 0; first < total; first += chunk) {
      int tokens = Math.min(chunk, total - first);
      int whole = Lanes.roundUp(tokens, ROWS);
      keys.load(call, keyHead, first, tokens, whole);
      for (int n = 0; n < call.group(); n++) {
        int head = call.valueHead(keyHead, n);
        loadGates(call, head, first, tokens, whole);
        loadValues(call.v(), head, first, tokens, whole);
        for (int p = 0; p < panels; p++) {
          panel(call, tokens, whole, (n * panels + p) * panelSize, p * whole * PANEL);
        }
        if (call.o() != null) {
          storeOutputs(call.o(), head, first, tokens, whole);
        }
      }
    }
    for (int n = 0; n < call.group(); n++) {
      storeState(call, call.valueHead(keyHead, n), n * panels * panelSize);
    }
  }

  private void reserve(RuleCall call, int rows, int panels) {
    keys.reserve(rows, call.keyWidth());
    decay.reserve(rows);
    if (call.gates().gk() != null) {
      channels.reserve(rows, keys.stride);
    }
    if (call.perValue()) {
      sweep.reserve(rows, call.valueWidth());
    }
    int size = call.group() * panels * keys.stride * PANEL;
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

  private void loadGates(RuleCall call, int head, int first, int tokens, int rows) {
    if (call.gates().gk() == null) {
      decay.load(call, keys, head, first, tokens, rows);
      entryQueries = keys.queries;
      entryKeys = keys.keys;
      exitKeys = keys.keys;
    } else {
      decay.load(call, keys, channels, head, first, tokens, rows);
      entryQueries = channels.entryQueries;
      entryKeys = channels.entryKeys;
      exitKeys = channels.exitKeys;
    }
    if (call.perValue()) {
      sweep.load(call, head, first, tokens, rows, firstColumn, columns);
      if (call.parameters().update() == StateUpdate.ADDITIVE) {
        Arrays.fill(decay.system, 0, tokens * decay.stride, 0f);
      }
    }
  }

  /** One chunk of one panel of value columns, which stands at {@code at} in V and O. */
  private void panel(RuleCall call, int tokens, int rows, int state, int at) {
    int width = call.keyWidth();
    int stride = keys.stride;
    boolean delta = call.parameters().update() == StateUpdate.DELTA;
    float scale = call.parameters().scale();
    Arrays.fill(residual, 0, rows * PANEL, 0f);
    Arrays.fill(outputs, at, at + rows * PANEL, 0f);
    for (int r = 0; r < rows; r += ROWS) {
      if (delta) {
        Tiles.multiply(entryKeys, r * stride, stride, width, states, state, residual, r * PANEL);
      }
      if (call.o() != null) {
        Tiles.multiply(
            entryQueries, r * stride, stride, width, states, state, outputs, at + r * PANEL);
      }
    }
    if (call.perValue()) {
      sweep.run(decay, scale, values, at, residual, outputs, tokens);
      sweep.decay(states, state, stride);
    } else {
      rightHandSide(decay, residual, values, outputs, at, rows, scale);
      solve(delta, tokens, rows);
      if (call.o() != null) {
        output(rows, at);
      }
    }
    scaleRows(residual, 0, decay.toEnd, rows);
    if (call.gates().gk() != null) {
      scaleRows(states, state, channels.overall, stride);
    }
    for (int i = 0; i < stride; i += ROWS) {
      Tiles.multiplyTransposed(
          exitKeys, i, stride, tokens, residual, 0, states, state + i * PANEL, decay.overall);
    }
  }

  // From the right-hand side to the residual.
  private void solve(boolean delta, int tokens, int rows) {
    int matrix = decay.stride;
    for (int r = 0; r < rows && delta; r += ROWS) {
      Tiles.multiply(decay.system, r * matrix, matrix, r, residual, 0, residual, r * PANEL);
      Substitution.solve(decay.system, r * matrix + r, matrix, residual, r * PANEL, tokens - r);
    }
  }

  // What the residual adds to the outputs.
  private void output(int rows, int at) {
    int matrix = decay.stride;
    for (int r = 0; r < rows; r += ROWS) {
      Tiles.multiply(
          decay.scores, r * matrix, matrix, r + ROWS, residual, 0, outputs, at + r * PANEL);
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

  static void scaleRows(float[] panel, int at, float[] factors, int rows) {
    for (int r = 0; r < rows; r++) {
      for (int i = at + r * PANEL; i < at + (r + 1) * PANEL; i += COUNT) {
        FloatVector.fromArray(F, panel, i).mul(factors[r]).intoArray(panel, i);
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
    Panels.putRows(call.state(), from, width, call.keyWidth(), columns, states, to, keys.stride);
  }

  private void storeState(RuleCall call, int head, int from) {
    int width = call.valueWidth();
    int to = call.stateAt(head) + firstColumn;
    Panels.getRows(states, from, keys.stride, call.state(), to, width, call.keyWidth(), columns);
  }
}
