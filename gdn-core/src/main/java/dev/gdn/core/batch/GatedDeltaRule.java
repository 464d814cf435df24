package dev.gdn.core.batch;

import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.RuleParameters;

/**
 * The gated delta rule and its family for a batch of sequences, packed or not, in either form. Used
 * by one thread at a time, as its kernels are.
 */
public final class GatedDeltaRule {
  private final DeltaRule kernel;

  /**
   * @param kernel computes one sequence
   */
  public GatedDeltaRule(DeltaRule kernel) {
    this.kernel = kernel;
  }

  /**
   * Runs every sequence of a batch from its initial state. The inputs are left as they are.
   *
   * @throws IllegalArgumentException if the results are larger than an array can be
   */
  public RuleResult apply(RuleForm form, RuleParameters parameters, RuleBatch batch) {
    BatchCalls calls = new BatchCalls(parameters, batch);
    float[] state = calls.states("initial state", batch.initialState());
    float[] output = new float[batch.v().length];
    for (int n = 0; n < batch.sequences(); n++) {
      RuleCall call = calls.call(n, state, output);
      switch (form) {
        case CHUNK -> kernel.chunk(call, batch.length(n));
        case RECURRENT -> kernel.recurrent(call, batch.length(n));
      }
    }
    return new RuleResult(output, calls.toLayout(state));
  }
}
