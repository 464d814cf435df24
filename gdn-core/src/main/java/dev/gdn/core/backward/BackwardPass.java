package dev.gdn.core.backward;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.DeltaRuleBackward;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.kernel.RuleDerivatives;
import dev.gdn.core.tensor.TokenTensor;

/**
 * The backward pass in plain loops, for every kind of gate and update. Work is split over key
 * heads; results are bit-identical for any number of workers. Safe to share.
 */
public final class BackwardPass implements DeltaRuleBackward {
  private final Workers workers;

  /** A pass that spreads its work over these. */
  public BackwardPass(Workers workers) {
    this.workers = workers;
  }

  @Override
  public void run(
      RuleCall call, int tokens, TokenTensor dOutput, float[] dState, RuleDerivatives derivatives) {
    derivatives.check(call, tokens, dOutput, dState);
    if (tokens == 0) {
      return;
    }
    stateSize(call, tokens);
    workers.run(
        call.keyHeads(),
        (keyHead, worker) ->
            new HeadBackward(call, tokens, dOutput, dState, derivatives).run(keyHead));
  }

  /** Elements of the states on entry to each chunk, of one value head. */
  static int stateSize(RuleCall call, int tokens) {
    int chunk = call.parameters().chunk();
    long chunks = (tokens + chunk - 1L) / chunk;
    long size = chunks * call.keyWidth() * call.valueWidth();
    if (size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "backward pass: %d states of %d x %d do not fit an array"
              .formatted(chunks, call.keyWidth(), call.valueWidth()));
    }
    return (int) size;
  }
}
