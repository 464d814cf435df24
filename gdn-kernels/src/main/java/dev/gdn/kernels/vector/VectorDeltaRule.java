package dev.gdn.kernels.vector;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.kernel.RuleCall;

/**
 * Both forms of the gated delta rule, spread over heads. Where there are fewer key heads than
 * threads, the chunk form is spread over panels of value columns too: these do not depend on each
 * other, and only what belongs to the keys is computed more than once.
 */
final class VectorDeltaRule implements DeltaRule {
  private final Workers workers;
  private final ChunkForm[] chunkForms;
  private final RecurrentForm[] recurrentForms;
  private final Workers.Task chunkTask;
  private final Workers.Task recurrentTask;
  private RuleCall call;
  private int tokens;
  private int slices;

  VectorDeltaRule(Workers workers) {
    this.workers = workers;
    chunkForms = new ChunkForm[workers.threads()];
    recurrentForms = new RecurrentForm[workers.threads()];
    for (int w = 0; w < workers.threads(); w++) {
      chunkForms[w] = new ChunkForm();
      recurrentForms[w] = new RecurrentForm();
    }
    chunkTask =
        (part, worker) ->
            chunkForms[worker].run(call, tokens, part / slices, part % slices, slices);
    recurrentTask = (valueHead, worker) -> recurrentForms[worker].run(call, tokens, valueHead);
  }

  @Override
  public void chunk(RuleCall call, int tokens) {
    call.checkTokens(tokens);
    if (tokens > 0) {
      int wanted = Math.ceilDiv(workers.threads(), call.keyHeads());
      slices = Math.min(wanted, Panels.count(call.valueWidth()));
      run(call, tokens, call.keyHeads() * slices, chunkTask);
    }
  }

  @Override
  public void recurrent(RuleCall call, int tokens) {
    call.checkTokens(tokens);
    if (tokens > 0) {
      run(call, tokens, call.valueHeads(), recurrentTask);
    }
  }

  @Override
  public int parts(RuleCall call) {
    return call.keyHeads() * Panels.count(call.valueWidth());
  }

  private void run(RuleCall call, int tokens, int heads, Workers.Task task) {
    this.call = call;
    this.tokens = tokens;
    try {
      workers.run(heads, task);
    } finally {
      this.call = null;
    }
  }
}
