package dev.gdn.core.batch;

import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.Gates;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.TokenTensor;

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
    RuleShape shape = batch.shape();
    int heads = shape.valueHeads();
    int stateSize = length("state", shape.stateSize());
    int states = length("final state", batch.sequences() * (long) heads);
    length("final state", batch.sequences() * shape.stateSize());
    float[] state =
        batch.initialState() == null
            ? new float[batch.sequences() * stateSize]
            : batch
                .stateLayout()
                .toKeyFirst(batch.initialState(), states, shape.keyWidth(), shape.valueWidth());
    float[] output = new float[batch.v().length];

    TokenTensor q = TokenTensor.of(batch.q(), shape.keyHeads(), shape.keyWidth());
    TokenTensor k = TokenTensor.of(batch.k(), shape.keyHeads(), shape.keyWidth());
    TokenTensor v = TokenTensor.of(batch.v(), heads, shape.valueWidth());
    TokenTensor o = TokenTensor.of(output, heads, shape.valueWidth());
    Gates gates = gates(batch);

    for (int n = 0; n < batch.sequences(); n++) {
      int start = batch.start(n);
      int tokens = batch.length(n);
      RuleCall call =
          new RuleCall(
              parameters,
              q.from(start),
              k.from(start),
              v.from(start),
              gates.from(start),
              state,
              n * stateSize,
              o.from(start));
      switch (form) {
        case CHUNK -> kernel.chunk(call, tokens);
        case RECURRENT -> kernel.recurrent(call, tokens);
      }
    }
    return new RuleResult(
        output,
        batch.stateLayout().fromKeyFirst(state, states, shape.keyWidth(), shape.valueWidth()));
  }

  private static Gates gates(RuleBatch batch) {
    RuleShape shape = batch.shape();
    int heads = shape.valueHeads();
    TokenTensor beta = null;
    if (batch.beta() != null) {
      beta =
          batch.betaPerValue()
              ? TokenTensor.of(batch.beta(), heads, shape.valueWidth())
              : TokenTensor.of(batch.beta(), heads);
    }
    return new Gates(
        batch.g() == null ? null : TokenTensor.of(batch.g(), heads),
        batch.gk() == null ? null : TokenTensor.of(batch.gk(), heads, shape.keyWidth()),
        batch.gv() == null ? null : TokenTensor.of(batch.gv(), heads, shape.valueWidth()),
        beta);
  }

  private static int length(String what, long elements) {
    if (elements > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%s: %d values do not fit an array".formatted(what, elements));
    }
    return (int) elements;
  }
}
