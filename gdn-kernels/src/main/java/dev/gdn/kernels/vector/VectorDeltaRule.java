package dev.gdn.kernels.vector;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.TokenTensor;

/** Both forms of the gated delta rule, spread over heads. */
final class VectorDeltaRule implements DeltaRule {
  private final Workers workers;
  private final RuleCall call = new RuleCall();
  private final ChunkForm[] chunkForms;
  private final RecurrentForm[] recurrentForms;
  private final Workers.Task chunkTask;
  private final Workers.Task recurrentTask;

  VectorDeltaRule(Workers workers) {
    this.workers = workers;
    chunkForms = new ChunkForm[workers.threads()];
    recurrentForms = new RecurrentForm[workers.threads()];
    for (int w = 0; w < workers.threads(); w++) {
      chunkForms[w] = new ChunkForm();
      recurrentForms[w] = new RecurrentForm();
    }
    chunkTask = (keyHead, worker) -> chunkForms[worker].run(call, keyHead);
    recurrentTask = (valueHead, worker) -> recurrentForms[worker].run(call, valueHead);
  }

  @Override
  public void chunk(
      RuleParameters parameters,
      TokenTensor q,
      TokenTensor k,
      TokenTensor v,
      TokenTensor g,
      TokenTensor beta,
      float[] state,
      int stateOffset,
      TokenTensor o,
      int tokens) {
    call.set(parameters, q, k, v, g, beta, state, stateOffset, o, tokens);
    if (tokens > 0) {
      workers.run(call.keyHeads, chunkTask);
    }
  }

  @Override
  public void recurrent(
      RuleParameters parameters,
      TokenTensor q,
      TokenTensor k,
      TokenTensor v,
      TokenTensor g,
      TokenTensor beta,
      float[] state,
      int stateOffset,
      TokenTensor o,
      int tokens) {
    call.set(parameters, q, k, v, g, beta, state, stateOffset, o, tokens);
    if (tokens > 0) {
      workers.run(call.valueHeads, recurrentTask);
    }
  }
}
