package dev.gdn.core.batch;

import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.Gates;
import dev.gdn.core.rule.StateUpdate;
import dev.gdn.core.tensor.TokenTensor;

/**
 * How far back a state reaches. Over some tokens nothing of a state grows, since I − β k kᵀ has no
 * norm above 1 for β ≤ 2 and keys of at most unit length, and it decays at least by the largest
 * gate of each token. Where the sum of these is so low that its exponential is 0 in float32, the
 * state from before is gone.
 */
final class Forgetting {
  /** e^−104 is less than half the smallest float32 above 0. */
  private static final double GONE = -104;

  private Forgetting() {}

  /**
   * For each shard but the first, how many tokens before it make up the state it begins with. The
   * first has 0.
   *
   * @param cuts where each shard begins, and where the last one ends
   * @param most tokens of one window
   * @return null if some state reaches back further, or it is not known how far
   */
  static int[] windows(RuleCall call, int[] cuts, int most) {
    int[] windows = new int[cuts.length - 1];
    boolean bounded =
        call.parameters().normalise() || call.parameters().update() == StateUpdate.ADDITIVE;
    for (int shard = 1; shard < windows.length; shard++) {
      windows[shard] = bounded ? window(call, cuts[shard], Math.min(most, cuts[shard])) : -1;
      if (windows[shard] < 0) {
        return null;
      }
    }
    return windows;
  }

  private static int window(RuleCall call, int end, int most) {
    int window = 0;
    for (int head = 0; head < call.valueHeads(); head++) {
      double sum = 0;
      int tokens = 0;
      while (sum > GONE) {
        if (tokens == most) {
          return -1;
        }
        tokens++;
        sum += largest(call.gates(), end - tokens, head);
      }
      window = Math.max(window, tokens);
    }
    return window;
  }

  private static double largest(Gates gates, int token, int head) {
    double shared = gates.g().data()[gates.g().at(token) + head];
    return shared + largest(gates.gk(), token, head) + largest(gates.gv(), token, head);
  }

  private static double largest(TokenTensor gate, int token, int head) {
    if (gate == null) {
      return 0;
    }
    float largest = Float.NEGATIVE_INFINITY;
    int from = gate.at(token, head);
    for (int i = from; i < from + gate.width(); i++) {
      largest = Math.max(largest, gate.data()[i]);
    }
    return largest;
  }
}
