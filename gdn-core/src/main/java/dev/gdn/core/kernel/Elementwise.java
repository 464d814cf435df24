package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;

/**
 * Pointwise operations. All views of a call have the same heads and width unless it says otherwise,
 * and an output may be the same view as an input. Functions are accurate to a few ulp.
 */
public interface Elementwise {
  /** y = f(x). */
  void apply(Activation activation, TokenTensor x, TokenTensor y, int tokens);

  /** y = f(gate) · x: SwiGLU with SiLU, an output gate with the sigmoid. */
  void gate(Activation activation, TokenTensor gate, TokenTensor x, TokenTensor y, int tokens);

  /**
   * y = f(gate) · x with one gate for each token: that of a shared expert.
   *
   * @param gate {@code [tokens, 1, 1]}
   */
  void gateTokens(
      Activation activation, TokenTensor gate, TokenTensor x, TokenTensor y, int tokens);

  /** y = factor · x. */
  void scale(float factor, TokenTensor x, TokenTensor y, int tokens);

  /** y = y + x. */
  void add(TokenTensor x, TokenTensor y, int tokens);

  /**
   * The decay gate in logs: g = rate · softplus(a + bias), with rate = −exp(A_log).
   *
   * @param a {@code [tokens, 1, HV]}
   * @param g of the same shape
   */
  void decayGate(DecayGateWeights weights, TokenTensor a, TokenTensor g, int tokens);
}
