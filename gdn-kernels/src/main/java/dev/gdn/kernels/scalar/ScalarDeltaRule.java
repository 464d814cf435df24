package dev.gdn.kernels.scalar;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.ChunkForm;
import dev.gdn.core.rule.RecurrentForm;
import dev.gdn.core.rule.RuleParameters;

/** The gated delta rule from the steps of {@link dev.gdn.core.rule}, split over key heads. */
final class ScalarDeltaRule implements DeltaRule {
  private final Workers workers;
  private final ChunkForm[] chunkForms;
  private final RecurrentForm[] recurrentForms;

  ScalarDeltaRule(Workers workers) {
    this.workers = workers;
    this.chunkForms = new ChunkForm[workers.threads()];
    this.recurrentForms = new RecurrentForm[workers.threads()];
  }

  @Override
  public void chunk(RuleCall call, int tokens) {
    call.checkTokens(tokens);
    int chunk = call.parameters().chunk();
    workers.run(
        call.keyHeads(),
        (keyHead, worker) -> {
          ChunkForm form = chunkForm(call.parameters(), call.keyWidth(), call.valueWidth(), worker);
          for (int first = 0; first < tokens; first += chunk) {
            form.load(call.q(), call.k(), keyHead, first, Math.min(chunk, tokens - first));
            for (int n = 0; n < call.group(); n++) {
              int head = call.valueHead(keyHead, n);
              form.apply(call.v(), call.gates(), head, call.state(), call.stateAt(head), call.o());
            }
          }
        });
  }

  @Override
  public void recurrent(RuleCall call, int tokens) {
    call.checkTokens(tokens);
    workers.run(
        call.keyHeads(),
        (keyHead, worker) -> {
          RecurrentForm form =
              recurrentForm(call.parameters(), call.keyWidth(), call.valueWidth(), worker);
          for (int token = 0; token < tokens; token++) {
            form.load(call.q(), call.k(), keyHead, token);
            for (int n = 0; n < call.group(); n++) {
              int head = call.valueHead(keyHead, n);
              form.apply(call.v(), call.gates(), head, call.state(), call.stateAt(head), call.o());
            }
          }
        });
  }

  @Override
  public int parts(RuleCall call) {
    return call.keyHeads();
  }

  private ChunkForm chunkForm(RuleParameters parameters, int keys, int values, int worker) {
    ChunkForm form = chunkForms[worker];
    if (form == null || !form.fits(parameters, keys, values)) {
      form = new ChunkForm(parameters, keys, values);
      chunkForms[worker] = form;
    }
    return form;
  }

  private RecurrentForm recurrentForm(RuleParameters parameters, int keys, int values, int worker) {
    RecurrentForm form = recurrentForms[worker];
    if (form == null || !form.fits(parameters, keys, values)) {
      form = new RecurrentForm(parameters, keys, values);
      recurrentForms[worker] = form;
    }
    return form;
  }
}
