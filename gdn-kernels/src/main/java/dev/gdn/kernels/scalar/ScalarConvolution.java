package dev.gdn.kernels.scalar;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.ConvolutionWeights;
import dev.gdn.core.kernel.ShortConvolution;
import dev.gdn.core.tensor.TokenTensor;

/** y[t, c] = f(b[c] + Σ_w taps[w, c] · x[t − width + 1 + w, c]), in blocks of channels. */
final class ScalarConvolution implements ShortConvolution {
  private static final int CHANNELS = 256;

  private final Workers workers;

  ScalarConvolution(Workers workers) {
    this.workers = workers;
  }

  @Override
  public void convolve(
      ConvolutionWeights weights, TokenTensor x, float[] state, TokenTensor y, int tokens) {
    int channels = weights.channels();
    weights.check(x, state, y, tokens);
    workers.run(
        (channels + CHANNELS - 1) / CHANNELS,
        (part, worker) -> {
          int from = part * CHANNELS;
          int to = Math.min(channels, from + CHANNELS);
          for (int t = 0; t < tokens; t++) {
            step(weights, x.data(), x.at(t), state, y.data(), y.at(t), from, to);
          }
        });
  }

  // The state is the window of past inputs: it moves on by one at every token.
  private static void step(
      ConvolutionWeights weights,
      float[] x,
      int xAt,
      float[] state,
      float[] y,
      int yAt,
      int from,
      int to) {
    float[] taps = weights.taps();
    float[] bias = weights.bias();
    int channels = weights.channels();
    int last = weights.width() - 1;
    for (int c = from; c < to; c++) {
      float current = x[xAt + c];
      float sum = bias == null ? 0 : bias[c];
      for (int w = 0; w < last; w++) {
        sum += taps[w * channels + c] * state[w * channels + c];
      }
      sum += taps[last * channels + c] * current;
      for (int w = 1; w < last; w++) {
        state[(w - 1) * channels + c] = state[w * channels + c];
      }
      state[(last - 1) * channels + c] = current;
      y[yAt + c] = Functions.apply(weights.activation(), sum);
    }
  }
}
