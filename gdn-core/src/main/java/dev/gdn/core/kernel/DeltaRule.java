package dev.gdn.core.kernel;

/**
 * The gated delta rule over one sequence, in its two forms. They share the state, and can follow
 * one another at any token.
 */
public interface DeltaRule {
  /**
   * The WY/UT chunk form, for prefill.
   *
   * @param tokens that the call's views hold from their beginning on, at least 0
   * @throws IllegalArgumentException if a view holds fewer tokens, or a gate is above 0
   */
  void chunk(RuleCall call, int tokens);

  /**
   * The recurrent form, token by token, for decode.
   *
   * @param tokens that the call's views hold from their beginning on, at least 0
   * @throws IllegalArgumentException if a view holds fewer tokens, or a gate is above 0
   */
  void recurrent(RuleCall call, int tokens);

  /** Parts of a call that the chunk form can compute side by side: heads, or parts of heads. */
  int parts(RuleCall call);
}
