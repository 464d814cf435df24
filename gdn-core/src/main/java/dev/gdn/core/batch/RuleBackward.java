package dev.gdn.core.batch;

import dev.gdn.core.backward.BackwardPass;
import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.DeltaRuleBackward;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.kernel.RuleDerivatives;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.TokenTensor;

/**
 * The backward pass of {@link GatedDeltaRule} for a batch of sequences, packed or not, with every
 * kind of gate and update, through the L2 norm and the scale as the parameters say. It runs in the
 * chunk form and recomputes what stands within a chunk, so that beside the results it takes memory
 * for each chunk of a head, a state at least. Used by one thread at a time, as its kernel is.
 */
public final class RuleBackward {
  private final DeltaRuleBackward kernel;

  /**
   * @param kernel computes one sequence
   */
  public RuleBackward(DeltaRuleBackward kernel) {
    this.kernel = kernel;
  }

  /**
   * In plain loops, without a kernel set. Safe to share.
   *
   * @param workers key heads are spread over these
   */
  public RuleBackward(Workers workers) {
    this(new BackwardPass(workers));
  }

  /**
   * From the derivatives of a loss by the results to those by the inputs, which are left as they
   * are.
   *
   * @param dOutput derivatives by the outputs, {@code [B, T, HV, V]}
   * @param dFinalState derivatives by the final states, in the batch's layout; null for zeros
   * @throws IllegalArgumentException if an argument has not as many values as it should, or states
   *     are more than an array holds
   */
  public RuleGradients apply(
      RuleParameters parameters, RuleBatch batch, float[] dOutput, float[] dFinalState) {
    if (dOutput.length != batch.v().length) {
      throw new IllegalArgumentException(
          "derivatives by the output: expected %d values, found %d"
              .formatted(batch.v().length, dOutput.length));
    }
    BatchCalls calls = new BatchCalls(parameters, batch);
    RuleShape shape = batch.shape();
    float[] state = calls.states("initial state", batch.initialState());
    float[] dState = calls.states("derivatives by the final state", dFinalState);
    int perHead = shape.batch() * shape.tokens() * shape.valueHeads();
    RuleGradients gradients =
        new RuleGradients(
            new float[batch.q().length],
            new float[batch.k().length],
            new float[batch.v().length],
            new float[perHead],
            like(batch.gk()),
            like(batch.gv()),
            batch.beta() == null ? new float[perHead] : like(batch.beta()),
            null);
    RuleDerivatives all = views(calls, shape, gradients);
    TokenTensor dO = BatchCalls.view(dOutput, shape.valueHeads(), shape.valueWidth());
    for (int n = 0; n < batch.sequences(); n++) {
      int start = batch.start(n);
      RuleCall call = calls.call(n, state, dOutput);
      kernel.run(call, batch.length(n), dO.from(start), dState, all.from(start));
    }
    return new RuleGradients(
        gradients.q(),
        gradients.k(),
        gradients.v(),
        batch.g() == null ? null : gradients.g(),
        gradients.gk(),
        gradients.gv(),
        batch.beta() == null ? null : gradients.beta(),
        calls.toLayout(dState));
  }

  private static RuleDerivatives views(BatchCalls calls, RuleShape shape, RuleGradients gradients) {
    int heads = shape.valueHeads();
    return new RuleDerivatives(
        BatchCalls.view(gradients.q(), shape.keyHeads(), shape.keyWidth()),
        BatchCalls.view(gradients.k(), shape.keyHeads(), shape.keyWidth()),
        BatchCalls.view(gradients.v(), heads, shape.valueWidth()),
        BatchCalls.view(gradients.g(), heads),
        BatchCalls.view(gradients.gk(), heads, shape.keyWidth()),
        BatchCalls.view(gradients.gv(), heads, shape.valueWidth()),
        calls.betas(gradients.beta()));
  }

  private static float[] like(float[] values) {
    return values == null ? null : new float[values.length];
  }
}
