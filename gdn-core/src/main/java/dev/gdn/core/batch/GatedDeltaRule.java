package dev.gdn.core.batch;

import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.TokenTensor;

/**
 * The gated delta rule for a batch of sequences, packed or not, in either form. Used by one thread
 * at a time, as its kernels are.
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
    RuleShape shape = batch.shape();
    int heads = shape.valueHeads();
    int stateSize = length("state", shape.stateSize());
    float[] state =
        batch.initialState() == null
            ? new float[length("final state", batch.sequences() * (long) stateSize)]
            : batch.initialState().clone();
    float[] output = new float[batch.v().length];

    TokenTensor q = TokenTensor.of(batch.q(), shape.keyHeads(), shape.keyWidth());
    TokenTensor k = TokenTensor.of(batch.k(), shape.keyHeads(), shape.keyWidth());
    TokenTensor v = TokenTensor.of(batch.v(), heads, shape.valueWidth());
    TokenTensor o = TokenTensor.of(output, heads, shape.valueWidth());
    TokenTensor beta = TokenTensor.of(batch.beta(), heads);
    // One row of zeros stands for every token where there is no decay.
    TokenTensor g =
        batch.g() == null
            ? new TokenTensor(new float[heads], 0, 0, 1, heads, heads)
            : TokenTensor.of(batch.g(), heads);

    for (int n = 0; n < batch.sequences(); n++) {
      int start = batch.start(n);
      int tokens = batch.length(n);
      RuleCall call =
          new RuleCall(
              parameters,
              q.from(start),
              k.from(start),
              v.from(start),
              g.from(start),
              beta.from(start),
              state,
              n * stateSize,
              o.from(start));
      switch (form) {
        case CHUNK -> kernel.chunk(call, tokens);
        case RECURRENT -> kernel.recurrent(call, tokens);
      }
    }
    return new RuleResult(output, state);
  }

  private static int length(String what, long elements) {
    if (elements > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%s: %d values do not fit an array".formatted(what, elements));
    }
    return (int) elements;
  }
}
