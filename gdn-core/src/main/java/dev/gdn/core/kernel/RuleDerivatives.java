package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;

/**
 * Derivatives of a loss by the inputs of one sequence, each shaped as its input; all are
 * overwritten.
 *
 * @param q {@code [tokens, H, K]}
 * @param k {@code [tokens, H, K]}
 * @param v {@code [tokens, HV, V]}
 * @param g {@code [tokens, 1, HV]}
 * @param gk {@code [tokens, HV, K]}; null if not wanted
 * @param gv {@code [tokens, HV, V]}; null if not wanted
 * @param beta {@code [tokens, 1, HV]} or {@code [tokens, HV, V]}
 */
public record RuleDerivatives(
    TokenTensor q,
    TokenTensor k,
    TokenTensor v,
    TokenTensor g,
    TokenTensor gk,
    TokenTensor gv,
    TokenTensor beta) {
  /** The same with the first {@code tokens} tokens left out. */
  public RuleDerivatives from(int tokens) {
    return new RuleDerivatives(
        q.from(tokens),
        k.from(tokens),
        v.from(tokens),
        g.from(tokens),
        gk == null ? null : gk.from(tokens),
        gv == null ? null : gv.from(tokens),
        beta.from(tokens));
  }

  /**
   * Checks what a backward pass is given.
   *
   * @throws IllegalArgumentException naming the view or array that does not fit, or a gate above 0
   */
  public void check(RuleCall call, int tokens, TokenTensor dOutput, float[] dState) {
    call.checkTokens(tokens);
    int heads = call.valueHeads();
    dOutput.check("derivatives by o", tokens, heads, call.valueWidth());
    if (dState.length != call.state().length) {
      throw new IllegalArgumentException(
          "derivatives by the state: expected %d values, found %d"
              .formatted(call.state().length, dState.length));
    }
    q.check("derivatives by q", tokens, call.keyHeads(), call.keyWidth());
    k.check("derivatives by k", tokens, call.keyHeads(), call.keyWidth());
    v.check("derivatives by v", tokens, heads, call.valueWidth());
    g.check("derivatives by g", tokens, 1, heads);
    if (gk != null) {
      gk.check("derivatives by gk", tokens, heads, call.keyWidth());
    }
    if (gv != null) {
      gv.check("derivatives by gv", tokens, heads, call.valueWidth());
    }
    beta.check("derivatives by beta", tokens, call.beta().heads(), call.beta().width());
  }
}
