package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.PANEL;
import static dev.gdn.kernels.vector.Tiles.ROWS;

import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.kernel.RuleDerivatives;
import dev.gdn.core.rule.KeyHead;
import dev.gdn.core.tensor.TokenTensor;

/**
 * The backward pass of a sequence for one key head and its value heads, with the scratch of one
 * worker: forward once ({@link StateTrail}), then back from the last chunk to the first.
 */
final class HeadBackward {
  /** Columns of tokens that are copied to rows at once. */
  private static final int TOGETHER = 4;

  private final ChunkKeys keys = new ChunkKeys();
  private final ChunkDecay decay = new ChunkDecay();
  private final ScoreBackward scores = new ScoreBackward(keys, decay);
  private final StateTrail trail = new StateTrail(keys, decay, scores);
  private final ChunkBackward backward = new ChunkBackward(keys, decay, scores);
  // Rows of queries or keys.
  private float[] some = {};

  /** Runs all tokens of a key head. */
  void run(
      RuleCall call,
      int total,
      TokenTensor dOutput,
      float[] dState,
      RuleDerivatives derivatives,
      int keyHead) {
    int chunk = call.parameters().chunk();
    int rows = Lanes.roundUp(Math.min(chunk, total), ROWS);
    int panels = Panels.count(call.valueWidth());
    keys.reserve(rows, call.keyWidth());
    decay.reserve(rows);
    scores.reserve(rows);
    trail.reserve(Math.ceilDiv(total, chunk), rows, panels);
    backward.reserve(rows, panels);
    if (some.length < TOGETHER * call.keyWidth()) {
      some = new float[TOGETHER * call.keyWidth()];
    }
    for (int n = 0; n < call.group(); n++) {
      int head = call.valueHead(keyHead, n);
      trail.run(call, keyHead, head, total);
      loadState(call, dState, head);
      for (int c = (total - 1) / chunk; c >= 0; c--) {
        int first = c * chunk;
        int tokens = Math.min(chunk, total - first);
        load(call, dOutput, keyHead, head, first, tokens);
        backward.run(call, trail.states[c], trail.values[c], tokens);
        store(derivatives, head, first, tokens);
        storeKeys(call, call.q(), backward.dq, derivatives.q(), keyHead, n, first, tokens);
        storeKeys(call, call.k(), backward.dk, derivatives.k(), keyHead, n, first, tokens);
      }
      storeState(call, dState, head);
    }
  }

  private void load(
      RuleCall call, TokenTensor dOutput, int keyHead, int head, int first, int tokens) {
    int rows = Lanes.roundUp(tokens, ROWS);
    keys.load(call, keyHead, first, tokens);
    decay.loadDecays(call, head, first, tokens);
    int from = dOutput.at(first, head);
    int stride = dOutput.tokenStride();
    int width = dOutput.width();
    Panels.putRows(dOutput.data(), from, stride, tokens, width, backward.outputs, 0, rows);
  }

  private void loadState(RuleCall call, float[] dState, int head) {
    int from = call.stateAt(head);
    int width = call.valueWidth();
    Panels.putRows(dState, from, width, call.keyWidth(), width, backward.dState, 0, keys.stride);
  }

  private void storeState(RuleCall call, float[] dState, int head) {
    int to = call.stateAt(head);
    int width = call.valueWidth();
    Panels.getRows(backward.dState, 0, keys.stride, dState, to, width, call.keyWidth(), width);
  }

  private void store(RuleDerivatives derivatives, int head, int first, int tokens) {
    int rows = Lanes.roundUp(tokens, ROWS);
    TokenTensor dv = derivatives.v();
    int to = dv.at(first, head);
    Panels.getRows(backward.outputs, 0, rows, dv.data(), to, dv.tokenStride(), tokens, dv.width());
    TokenTensor dg = derivatives.g();
    TokenTensor dbeta = derivatives.beta();
    // A gate is part of the cumulative gates of its token and of all later ones.
    double sum = 0;
    for (int t = tokens - 1; t >= 0; t--) {
      sum += backward.dGate[t];
      dg.data()[dg.at(first + t) + head] = (float) sum;
      dbeta.data()[dbeta.at(first + t) + head] = (float) backward.dBeta[t];
    }
  }

  // What the n-th value head gives to queries or keys, added to what those before it have given.
  // The last one's turn takes the sums through the norm while they are in the nearest cache.
  private void storeKeys(
      RuleCall call,
      TokenTensor x,
      float[] columns,
      TokenTensor target,
      int keyHead,
      int n,
      int first,
      int tokens) {
    addColumns(columns, target, keyHead, first, tokens, n > 0);
    if (call.parameters().normalise() && n == call.group() - 1) {
      KeyHead.normBackward(x, keyHead, first, tokens, target);
    }
  }

  private void addColumns(
      float[] columns, TokenTensor target, int keyHead, int first, int tokens, boolean add) {
    int width = target.width();
    for (int t = 0; t < tokens; t += TOGETHER) {
      int count = Math.min(TOGETHER, tokens - t);
      int from = t / PANEL * keys.stride * PANEL + t % PANEL;
      getColumns(columns, from, some, width);
      for (int n = 0; n < count; n++) {
        int to = target.at(first + t + n, keyHead);
        if (add) {
          Lanes.addScaled(1, some, n * width, target.data(), to, width);
        } else {
          System.arraycopy(some, n * width, target.data(), to, width);
        }
      }
    }
  }

  // Four columns at once, as they stand together.
  private static void getColumns(float[] columns, int from, float[] rows, int n) {
    int row2 = 2 * n;
    int row3 = 3 * n;
    for (int i = 0; i < n; i++) {
      int at = from + i * PANEL;
      rows[i] = columns[at];
      rows[n + i] = columns[at + 1];
      rows[row2 + i] = columns[at + 2];
      rows[row3 + i] = columns[at + 3];
    }
  }
}
