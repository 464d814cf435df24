package dev.gdn.core.backward;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.tensor.TokenTensor;

/**
 * The backward pass over one sequence, for every kind of gate and update. Work is split over key
 * heads; results are bit-identical for any number of workers. Safe to share.
 */
public final class BackwardPass {
  private final Workers workers;

  /** A pass that spreads its work over these. */
  public BackwardPass(Workers workers) {
    this.workers = workers;
  }

  /**
   * From the derivatives of a loss by the outputs and the final state to those by the inputs and
   * the initial state.
   *
   * @param call the forward call from its initial state, which is read and left as it is; its
   *     output is not used
   * @param tokens that all views hold from their beginning on, at least 0
   * @param dOutput {@code [tokens, HV, V]}
   * @param dState derivatives by the final state on entry, by the initial one on return; stored as
   *     the call's state is
   * @param derivatives overwritten; {@code gk} and {@code gv} may be null
   * @throws IllegalArgumentException naming the view that does not fit, or if the states between
   *     the chunks of a head are more than an array holds
   */
  public void run(
      RuleCall call, int tokens, TokenTensor dOutput, float[] dState, Derivatives derivatives) {
    call.checkTokens(tokens);
    dOutput.check("derivatives by o", tokens, call.valueHeads(), call.valueWidth());
    if (dState.length != call.state().length) {
      throw new IllegalArgumentException(
          "derivatives by the state: expected %d values, found %d"
              .formatted(call.state().length, dState.length));
    }
    check(call, tokens, derivatives);
    if (tokens == 0) {
      return;
    }
    stateSize(call, tokens);
    workers.run(
        call.keyHeads(),
        (keyHead, worker) ->
            new HeadBackward(call, tokens, dOutput, dState, derivatives).run(keyHead));
  }

  private static void check(RuleCall call, int tokens, Derivatives d) {
    int heads = call.valueHeads();
    d.q().check("derivatives by q", tokens, call.keyHeads(), call.keyWidth());
    d.k().check("derivatives by k", tokens, call.keyHeads(), call.keyWidth());
    d.v().check("derivatives by v", tokens, heads, call.valueWidth());
    d.g().check("derivatives by g", tokens, 1, heads);
    if (d.gk() != null) {
      d.gk().check("derivatives by gk", tokens, heads, call.keyWidth());
    }
    if (d.gv() != null) {
      d.gv().check("derivatives by gv", tokens, heads, call.valueWidth());
    }
    TokenTensor beta = call.beta();
    d.beta().check("derivatives by beta", tokens, beta.heads(), beta.width());
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
