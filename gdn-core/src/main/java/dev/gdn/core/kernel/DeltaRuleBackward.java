package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;

/** The backward pass of the gated delta rule and its family over one sequence. */
public interface DeltaRuleBackward {
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
   * @throws IllegalArgumentException naming the view that does not fit or the gate above 0, or if a
   *     kernel has an array for the states between the chunks of a head, and they are too many
   */
  void run(
      RuleCall call, int tokens, TokenTensor dOutput, float[] dState, RuleDerivatives derivatives);
}
