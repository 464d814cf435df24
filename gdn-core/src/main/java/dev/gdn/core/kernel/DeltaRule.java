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
   */
  void chunk(RuleCall call, int tokens);

  /**
   * The recurrent form, token by token, for decode.
   *
   * @param tokens that the call's views hold from their beginning on, at least 0
   */
  void recurrent(RuleCall call, int tokens);
}
