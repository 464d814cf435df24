package dev.gdn.core.backward;

import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.kernel.RuleDerivatives;
import dev.gdn.core.rule.KeyHead;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.Rows;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;

/**
 * The backward pass of a sequence for one key head and its value heads. Of the forward pass only
 * the states between chunks are kept; what stands within a chunk is computed once more.
 */
final class HeadBackward {
  private final RuleCall call;
  private final int tokens;
  private final TokenTensor dOutput;
  private final float[] dState;
  private final RuleDerivatives derivatives;
  private final ChunkForward forward;
  private final ChunkBackward backward;
  private final float[] dChunkOutput;
  private final float[] states;

  /**
   * @param dOutput {@code [tokens, HV, V]}
   * @param dState derivatives by the final state on entry, by the initial one on return; stored as
   *     the call's state is
   */
  HeadBackward(
      RuleCall call, int tokens, TokenTensor dOutput, float[] dState, RuleDerivatives derivatives) {
    this.call = call;
    this.tokens = tokens;
    this.dOutput = dOutput;
    this.dState = dState;
    this.derivatives = derivatives;
    RuleParameters parameters = call.parameters();
    int chunk = parameters.chunk();
    forward = new ChunkForward(parameters.update(), chunk, call.keyWidth(), call.valueWidth());
    backward = new ChunkBackward(forward, derivatives.gv() != null);
    dChunkOutput = new float[chunk * call.valueWidth()];
    states = new float[BackwardPass.stateSize(call, tokens)];
  }

  void run(int keyHead) {
    clear(derivatives.q(), keyHead);
    clear(derivatives.k(), keyHead);
    for (int n = 0; n < call.group(); n++) {
      valueHead(keyHead, call.valueHead(keyHead, n));
    }
    if (call.parameters().normalise()) {
      KeyHead.normBackward(call.q(), keyHead, 0, tokens, derivatives.q());
      KeyHead.normBackward(call.k(), keyHead, 0, tokens, derivatives.k());
    }
  }

  private void clear(TokenTensor x, int head) {
    for (int t = 0; t < tokens; t++) {
      Arrays.fill(x.data(), x.at(t, head), x.at(t, head) + x.width(), 0);
    }
  }

  private void valueHead(int keyHead, int head) {
    int chunk = call.parameters().chunk();
    int size = call.keyWidth() * call.valueWidth();
    int last = (tokens - 1) / chunk;
    System.arraycopy(call.state(), call.stateAt(head), states, 0, size);
    for (int c = 0; c < last; c++) {
      load(keyHead, head, c * chunk);
      forward.run(states, c * size);
      System.arraycopy(states, c * size, states, (c + 1) * size, size);
      forward.advance(states, (c + 1) * size);
    }
    for (int c = last; c >= 0; c--) {
      load(keyHead, head, c * chunk);
      forward.run(states, c * size);
      backward.run(states, c * size, dChunkOutput, dState, call.stateAt(head));
      store(keyHead, head, c * chunk);
    }
  }

  private void load(int keyHead, int head, int first) {
    int count = Math.min(call.parameters().chunk(), tokens - first);
    int width = call.valueWidth();
    boolean normalise = call.parameters().normalise();
    forward.tokens = count;
    KeyHead.gather(normalise, call.q(), keyHead, first, count, forward.q);
    KeyHead.gather(normalise, call.k(), keyHead, first, count, forward.k);
    TokenTensor v = call.v();
    for (int t = 0; t < count; t++) {
      int token = first + t;
      System.arraycopy(v.data(), v.at(token, head), forward.v, t * width, width);
      call.gates().gatherBeta(token, head, call.valueHeads(), forward.beta, t * width, width);
      float shared = call.g().data()[call.g().at(token) + head];
      exponentials(shared, call.gates().gk(), token, head, forward.keyDecays, t, call.keyWidth());
      exponentials(0, call.gates().gv(), token, head, forward.valueDecays, t, width);
      int from = dOutput.at(token, head);
      float scale = call.parameters().scale();
      Rows.scale(scale, dOutput.data(), from, dChunkOutput, t * width, width);
    }
  }

  private static void exponentials(
      double shared, TokenTensor gate, int token, int head, float[] decays, int t, int width) {
    if (gate == null) {
      Arrays.fill(decays, t * width, (t + 1) * width, (float) Math.exp(shared));
      return;
    }
    int from = gate.at(token, head);
    for (int i = 0; i < width; i++) {
      decays[t * width + i] = (float) Math.exp(shared + gate.data()[from + i]);
    }
  }

  private void store(int keyHead, int head, int first) {
    int keys = call.keyWidth();
    int values = call.valueWidth();
    for (int t = 0; t < forward.tokens; t++) {
      int token = first + t;
      add(backward.dq, t * keys, derivatives.q(), token, keyHead);
      add(backward.dk, t * keys, derivatives.k(), token, keyHead);
      TokenTensor dv = derivatives.v();
      System.arraycopy(backward.dv, t * values, dv.data(), dv.at(token, head), values);
      TokenTensor dg = derivatives.g();
      dg.data()[dg.at(token) + head] = (float) sum(backward.gates.dKeys, t * keys, keys);
      copy(backward.gates.dKeys, t * keys, derivatives.gk(), token, head);
      copy(backward.gates.dValues, t * values, derivatives.gv(), token, head);
      storeBeta(token, head, t * values);
    }
  }

  private void storeBeta(int token, int head, int from) {
    TokenTensor dbeta = derivatives.beta();
    int width = call.valueWidth();
    if (call.gates().betaPerValue(call.valueHeads())) {
      System.arraycopy(backward.dbeta, from, dbeta.data(), dbeta.at(token, head), width);
    } else {
      double sum = 0;
      for (int j = 0; j < width; j++) {
        sum += backward.dbeta[from + j];
      }
      dbeta.data()[dbeta.at(token) + head] = (float) sum;
    }
  }

  private static void add(float[] from, int at, TokenTensor to, int token, int head) {
    Rows.addScaled(1, from, at, to.data(), to.at(token, head), to.width());
  }

  private static void copy(double[] from, int at, TokenTensor to, int token, int head) {
    for (int i = 0; to != null && i < to.width(); i++) {
      to.data()[to.at(token, head) + i] = (float) from[at + i];
    }
  }

  private static double sum(double[] values, int from, int count) {
    double sum = 0;
    for (int i = from; i < from + count; i++) {
      sum += values[i];
    }
    return sum;
  }
}
