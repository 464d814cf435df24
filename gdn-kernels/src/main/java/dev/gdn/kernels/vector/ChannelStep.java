package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;

import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.StateUpdate;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/**
 * What a step of the recurrent form does differently where gates or betas belong to single channels
 * or the update has no delta term. With d = e^(g+gk) and c = e^gv it is u = β ∘ (v − c ∘ Sᵀ(d∘k)),
 * o = s (c ∘ Sᵀ(d∘q) + (k·q) u), and S ← diag(d) S diag(c) + k uᵀ.
 */
final class ChannelStep {
  private float[] keyDecays = {};
  private float[] valueDecays = {};
  private float[] beta = {};
  // The key before it decays.
  private float[] key = {};

  /** Whether a call needs this. */
  boolean serves(RuleCall call) {
    return call.gates().gk() != null
        || call.perValue()
        || call.parameters().update() != StateUpdate.DELTA;
  }

  /**
   * Makes room.
   *
   * @param columns V, rounded up to whole vectors
   */
  void reserve(int keyWidth, int columns) {
    int rows = Lanes.roundUp(keyWidth, COUNT);
    if (keyDecays.length < rows) {
      keyDecays = new float[rows];
      key = new float[rows];
    }
    if (beta.length < columns) {
      valueDecays = new float[columns];
      beta = new float[columns];
    }
  }

  /** Reads the gates and betas of a token. */
  void load(RuleCall call, int head, int token) {
    float shared = call.g().data()[call.g().at(token) + head];
    load(call.gates().gk(), token, head, shared, keyDecays, call.keyWidth());
    load(call.gates().gv(), token, head, 0, valueDecays, call.valueWidth());
    call.gates().gatherBeta(token, head, call.valueHeads(), beta, 0, call.valueWidth());
  }

  private static void load(
      TokenTensor gate, int token, int head, float shared, float[] decays, int width) {
    int padded = Lanes.roundUp(width, COUNT);
    Arrays.fill(decays, 0, padded, shared);
    for (int i = 0; i < width && gate != null; i++) {
      decays[i] = shared + gate.data()[gate.at(token, head) + i];
    }
    Exponentials.ofNegative(decays, 0, COUNT, padded / COUNT);
  }

  /** Lets key and query decay as the state's rows do, and keeps the key. */
  void decay(float[] key, float[] query, int width) {
    System.arraycopy(key, 0, this.key, 0, width);
    for (int i = 0; i < width; i++) {
      key[i] *= keyDecays[i];
      query[i] *= keyDecays[i];
    }
  }

  /**
   * From what was read of the state to u and o.
   *
   * @param v where the token's values stand
   * @param update Sᵀ(d∘k) on entry, u on return
   * @param output Sᵀ(d∘q) on entry, o on return
   */
  void combine(RuleCall call, int v, float keyQuery, float[] update, float[] output) {
    boolean delta = call.parameters().update() == StateUpdate.DELTA;
    float scale = call.parameters().scale();
    float[] values = call.v().data();
    for (int j = 0; j < call.valueWidth(); j++) {
      float taken = delta ? valueDecays[j] * update[j] : 0;
      float u = beta[j] * (values[v + j] - taken);
      update[j] = u;
      output[j] = scale * (valueDecays[j] * output[j] + keyQuery * u);
    }
  }

  /** S = diag(d) S diag(c) + k uᵀ. */
  void update(float[] s, int at, int rows, int width, float[] u) {
    int whole = width / COUNT * COUNT;
    VectorMask<Float> rest = F.indexInRange(whole, width);
    for (int i = 0; i < rows; i++) {
      int row = at + i * width;
      FloatVector k = FloatVector.broadcast(F, key[i]);
      FloatVector d = FloatVector.broadcast(F, keyDecays[i]);
      for (int j = 0; j < whole; j += COUNT) {
        FloatVector c = FloatVector.fromArray(F, valueDecays, j).mul(d);
        FloatVector x = FloatVector.fromArray(F, s, row + j).mul(c);
        k.fma(FloatVector.fromArray(F, u, j), x).intoArray(s, row + j);
      }
      if (whole < width) {
        FloatVector c = FloatVector.fromArray(F, valueDecays, whole).mul(d);
        FloatVector x = FloatVector.fromArray(F, s, row + whole, rest).mul(c);
        k.fma(FloatVector.fromArray(F, u, whole), x).intoArray(s, row + whole, rest);
      }
    }
  }
}
