package dev.gdn.core.kernel;

import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.TokenTensor;

/**
 * The gated delta rule over one sequence, in its two forms. They share the state, and can follow
 * one another at any token; see {@link dev.gdn.core.rule} for the conventions.
 *
 * <p>In both calls: q and k are {@code [tokens, H, K]}, v and o {@code [tokens, HV, V]}, g and beta
 * {@code [tokens, 1, HV]}; HV is a multiple of H; g is at most 0, beta from 0 to 2; {@code state}
 * holds {@code [HV, K, V]} from {@code stateOffset} on and is updated in place. No output may
 * overlap an input.
 */
public interface DeltaRule {
  /** The WY/UT chunk form, for prefill. */
  void chunk(
      RuleParameters parameters,
      TokenTensor q,
      TokenTensor k,
      TokenTensor v,
      TokenTensor g,
      TokenTensor beta,
      float[] state,
      int stateOffset,
      TokenTensor o,
      int tokens);

  /** The recurrent form, token by token, for decode. */
  void recurrent(
      RuleParameters parameters,
      TokenTensor q,
      TokenTensor k,
      TokenTensor v,
      TokenTensor g,
      TokenTensor beta,
      float[] state,
      int stateOffset,
      TokenTensor o,
      int tokens);
}
