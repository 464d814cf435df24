package dev.gdn.model.config;

import dev.gdn.core.kernel.Activation;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * In what a family's linear-attention layers differ from gated DeltaNet as Qwen3.5 has it.
 *
 * @param decay what the decay is one number of
 * @param largestBeta betas are this times a sigmoid: 1, or 2, with which the state's transition may
 *     have negative eigenvalues
 * @param outputGate activation of the gate after the output norm
 * @param normEpsilon of the output norm; empty for that of the other norms
 */
public record DeltaVariant(
    DecayGate decay, int largestBeta, Activation outputGate, OptionalDouble normEpsilon) {
  /** Decay per head, betas up to 1, SiLU. */
  public static final DeltaVariant STANDARD =
      new DeltaVariant(DecayGate.PER_HEAD, 1, Activation.SILU, OptionalDouble.empty());

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public DeltaVariant {
    Objects.requireNonNull(decay, "decay");
    Objects.requireNonNull(outputGate, "outputGate");
    if (largestBeta != 1 && largestBeta != 2) {
      throw new IllegalArgumentException("largestBeta: expected 1 or 2, found " + largestBeta);
    }
    normEpsilon.ifPresent(epsilon -> Sizes.epsilon("normEpsilon", epsilon));
  }
}
