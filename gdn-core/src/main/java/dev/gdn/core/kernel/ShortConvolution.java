package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;

/** Depthwise causal convolution: y[t, c] = f(b[c] + Σ_w taps[w, c] · x[t - width + 1 + w, c]). */
public interface ShortConvolution {
  /**
   * Any number of tokens, one included.
   *
   * @param x {@code [tokens, channels]}, one head
   * @param state the last {@code width - 1} inputs, {@code [width - 1, channels]} oldest first;
   *     read, then replaced
   * @param y {@code [tokens, channels]}; may be the same view as {@code x}
   */
  void convolve(
      ConvolutionWeights weights, TokenTensor x, float[] state, TokenTensor y, int tokens);
}
