package dev.gdn.kernels.vector;

import dev.gdn.core.backward.BackwardPass;
import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.DeltaRuleBackward;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.kernel.RuleDerivatives;
import dev.gdn.core.tensor.TokenTensor;

/**
 * The backward pass, spread over key heads. Where gates or betas differ from one channel to
 * another, it is that in plain loops. Scratch memory stays as large as the longest sequence needed.
 */
final class VectorBackward implements DeltaRuleBackward {
  private final Workers workers;
  private final HeadBackward[] heads;
  private final BackwardPass plain;

  VectorBackward(Workers workers) {
    this.workers = workers;
    heads = new HeadBackward[workers.threads()];
    plain = new BackwardPass(workers);
  }

  @Override
  public void run(
      RuleCall call, int tokens, TokenTensor dOutput, float[] dState, RuleDerivatives derivatives) {
    if (perChannel(call, derivatives)) {
      plain.run(call, tokens, dOutput, dState, derivatives);
      return;
    }
    derivatives.check(call, tokens, dOutput, dState);
    if (tokens > 0) {
      workers.run(
          call.keyHeads(),
          (keyHead, worker) ->
              head(worker).run(call, tokens, dOutput, dState, derivatives, keyHead));
    }
  }

  private static boolean perChannel(RuleCall call, RuleDerivatives derivatives) {
    return call.gates().gk() != null
        || call.perValue()
        || derivatives.gk() != null
        || derivatives.gv() != null;
  }

  // Made when first needed: most who open kernels run no backward pass.
  private HeadBackward head(int worker) {
    if (heads[worker] == null) {
      heads[worker] = new HeadBackward();
    }
    return heads[worker];
  }
}
