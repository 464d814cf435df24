package dev.gdn.core.batch;

import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.CumulativeGate;
import dev.gdn.core.rule.Gates;
import dev.gdn.core.rule.StateUpdate;
import dev.gdn.core.tensor.TokenTensor;

/**
 * Makes the summary of a shard with the rule itself: B is the state it makes of zeros, and M what
 * it makes of the unit matrix where all values are zero.
 */
final class Summarizing {
  private Summarizing() {}

  /** Whether a call has one transition for all value channels. */
  static boolean possible(RuleCall call) {
    return call.parameters().update() == StateUpdate.ADDITIVE
        || !call.gates().betaPerValue(call.valueHeads());
  }

  /**
   * Summarises the first tokens of a call, whose state and output are not used.
   *
   * @throws IllegalArgumentException if there is no summary, or none that fits an array
   */
  static ShardSummary of(DeltaRule kernel, RuleCall call, int tokens) {
    int heads = call.valueHeads();
    int keyWidth = call.keyWidth();
    if (!possible(call)) {
      throw new IllegalArgumentException(
          "shard summary: expected betas per head, found betas per value channel, which have no one"
              + " transition");
    }
    long size = (long) heads * keyWidth * keyWidth;
    if (size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "shard summary: %d values do not fit an array".formatted(size));
    }
    ShardSummary summary = ShardSummary.identity(heads, keyWidth, call.valueWidth());
    kernel.chunk(call.into(summary.state(), 0).withoutOutput(), tokens);
    kernel.chunk(transition(call, summary.transition()), tokens);
    decays(call.gates().gv(), tokens, summary.valueDecays());
    return summary;
  }

  // The same keys with values of zero, as many as there are keys. Values do not count in the update
  // without delta term either.
  private static RuleCall transition(RuleCall call, float[] matrices) {
    int heads = call.valueHeads();
    int width = call.keyWidth();
    TokenTensor zeros = new TokenTensor(new float[width], 0, 0, heads, 0, width);
    Gates gates = call.gates();
    boolean perValue = gates.betaPerValue(heads);
    Gates kept = new Gates(gates.g(), gates.gk(), null, perValue ? null : gates.beta());
    return new RuleCall(call.parameters(), call.q(), call.k(), zeros, kept, matrices, 0, null);
  }

  private static void decays(TokenTensor gv, int tokens, float[] decays) {
    if (gv == null) {
      return;
    }
    double[] sums = new double[decays.length];
    for (int t = 0; t < tokens; t++) {
      for (int c = 0; c < sums.length; c++) {
        float gate = gv.data()[gv.at(t, c / gv.width()) + c % gv.width()];
        sums[c] += Math.max(gate, CumulativeGate.FLOOR);
      }
    }
    for (int c = 0; c < sums.length; c++) {
      decays[c] = (float) Math.exp(sums[c]);
    }
  }
}
