package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;

/** Norms over the width of each head of each token. */
public interface Normalization {
  /**
   * y = x · rsqrt(mean(x²) + ε) · w, or · (1 + w) where the weight is zero-centred.
   *
   * @param x {@code [tokens, heads, width]}, the width of the weight
   * @param y of the same shape; may be the same view as {@code x}
   */
  void rms(NormWeights weights, TokenTensor x, TokenTensor y, int tokens);

  /**
   * The norm, then a gate: y = x · rsqrt(mean(x²) + ε) · w · f(gate).
   *
   * @param gate of the shape of x
   * @param activation f
   * @param y of the same shape; may be the same view as {@code x}
   */
  void gatedRms(
      NormWeights weights,
      TokenTensor x,
      TokenTensor gate,
      Activation activation,
      TokenTensor y,
      int tokens);

  /**
   * y = x · rsqrt(Σx² + ε).
   *
   * @param y of the shape of x; may be the same view
   */
  void l2(float epsilon, TokenTensor x, TokenTensor y, int tokens);
}
