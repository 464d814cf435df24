package dev.gdn.kernels.scalar;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.rule.ChunkForm;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RecurrentForm;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.TokenTensor;

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
    check(q, k, v, g, beta, state, stateOffset, o, tokens);
    int stateSize = q.width() * v.width();
    workers.run(
        q.heads(),
        (keyHead, worker) -> {
          ChunkForm form = chunkForm(parameters, q.width(), v.width(), worker);
          HeadMapping heads = parameters.heads();
          for (int first = 0; first < tokens; first += parameters.chunk()) {
            form.load(q, k, keyHead, first, Math.min(parameters.chunk(), tokens - first));
            for (int n = 0; n < v.heads() / q.heads(); n++) {
              int valueHead = heads.valueHead(keyHead, n, q.heads(), v.heads());
              form.apply(v, g, beta, valueHead, state, stateOffset + valueHead * stateSize, o);
            }
          }
        });
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
    check(q, k, v, g, beta, state, stateOffset, o, tokens);
    int stateSize = q.width() * v.width();
    workers.run(
        q.heads(),
        (keyHead, worker) -> {
          RecurrentForm form = recurrentForm(parameters, q.width(), v.width(), worker);
          HeadMapping heads = parameters.heads();
          for (int token = 0; token < tokens; token++) {
            form.load(q, k, keyHead, token);
            for (int n = 0; n < v.heads() / q.heads(); n++) {
              int valueHead = heads.valueHead(keyHead, n, q.heads(), v.heads());
              form.apply(v, g, beta, valueHead, state, stateOffset + valueHead * stateSize, o);
            }
          }
        });
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

  private static void check(
      TokenTensor q,
      TokenTensor k,
      TokenTensor v,
      TokenTensor g,
      TokenTensor beta,
      float[] state,
      int stateOffset,
      TokenTensor o,
      int tokens) {
    int valueHeads = v.heads();
    q.check("q", tokens, q.heads(), q.width());
    k.check("k", tokens, q.heads(), q.width());
    v.check("v", tokens, valueHeads, v.width());
    g.check("g", tokens, 1, valueHeads);
    beta.check("beta", tokens, 1, valueHeads);
    o.check("o", tokens, valueHeads, v.width());
    if (valueHeads % q.heads() != 0) {
      throw new IllegalArgumentException(
          "v: expected a multiple of %d heads, found %d".formatted(q.heads(), valueHeads));
    }
    long stateSize = (long) valueHeads * q.width() * v.width();
    if (stateOffset < 0 || stateOffset + stateSize > state.length) {
      throw new IllegalArgumentException(
          "state: expected %d elements from %d on, found an array of %d"
              .formatted(stateSize, stateOffset, state.length));
    }
  }
}
