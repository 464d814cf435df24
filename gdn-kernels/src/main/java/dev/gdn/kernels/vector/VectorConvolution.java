package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.ConvolutionWeights;
import dev.gdn.core.kernel.ShortConvolution;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * y[t, c] = f(b[c] + Σ_w taps[w, c] · x[t − width + 1 + w, c]), spread over blocks of channels.
 *
 * <p>A worker keeps the last inputs of its block in a ring of {@code width - 1} rows, so that x may
 * be overwritten by y, and nothing is moved from token to token.
 */
final class VectorConvolution implements ShortConvolution {
  static final int CHANNELS = 256;

  private final Workers workers;
  private final float[][] rings;
  private final Activations[] activations;
  private final Workers.Task task = this::convolveBlock;

  // The arguments of the call in progress.
  private ConvolutionWeights weights;
  private TokenTensor x;
  private float[] state;
  private TokenTensor y;
  private int tokens;

  VectorConvolution(Workers workers) {
    this.workers = workers;
    this.rings = new float[workers.threads()][7 * CHANNELS];
    this.activations = new Activations[workers.threads()];
    Arrays.setAll(activations, w -> new Activations());
  }

  @Override
  public void convolve(
      ConvolutionWeights weights, TokenTensor x, float[] state, TokenTensor y, int tokens) {
    int channels = weights.channels();
    weights.check(x, state, y, tokens);
    this.weights = weights;
    this.x = x;
    this.state = state;
    this.y = y;
    this.tokens = tokens;
    workers.run((channels + CHANNELS - 1) / CHANNELS, task);
  }

  private void convolveBlock(int part, int worker) {
    int first = part * CHANNELS;
    int n = Math.min(CHANNELS, weights.channels() - first);
    int past = weights.width() - 1;
    float[] ring = rings[worker];
    for (int w = 0; w < past; w++) {
      System.arraycopy(state, w * weights.channels() + first, ring, w * CHANNELS, n);
    }
    int oldest = 0;
    for (int t = 0; t < tokens; t++) {
      int to = y.at(t) + first;
      convolve(weights, x.data(), x.at(t) + first, ring, oldest, y.data(), to, first, n);
      if (weights.bias() != null) {
        Lanes.addScaled(1f, weights.bias(), first, y.data(), to, n);
      }
      activations[worker].apply(weights.activation(), y.data(), to, y.data(), to, n);
      oldest = oldest + 1 == past ? 0 : oldest + 1;
    }
    for (int w = 0; w < past; w++) {
      int row = (oldest + w) % past;
      System.arraycopy(ring, row * CHANNELS, state, w * weights.channels() + first, n);
    }
  }

  // The sums of one token; its inputs take the place of the oldest in the ring.
  static void convolve(
      ConvolutionWeights weights,
      float[] x,
      int xAt,
      float[] ring,
      int oldest,
      float[] y,
      int yAt,
      int first,
      int n) {
    float[] taps = weights.taps();
    int channels = weights.channels();
    int past = weights.width() - 1;
    int i = 0;
    for (; i <= n - COUNT; i += COUNT) {
      int channel = first + i;
      FloatVector current = FloatVector.fromArray(F, x, xAt + i);
      FloatVector sum = FloatVector.fromArray(F, taps, past * channels + channel).mul(current);
      for (int w = 0, row = oldest; w < past; w++, row = row + 1 == past ? 0 : row + 1) {
        FloatVector tap = FloatVector.fromArray(F, taps, w * channels + channel);
        sum = tap.fma(FloatVector.fromArray(F, ring, row * CHANNELS + i), sum);
      }
      current.intoArray(ring, oldest * CHANNELS + i);
      sum.intoArray(y, yAt + i);
    }
    for (; i < n; i++) {
      int channel = first + i;
      float current = x[xAt + i];
      float sum = taps[past * channels + channel] * current;
      for (int w = 0, row = oldest; w < past; w++, row = row + 1 == past ? 0 : row + 1) {
        sum = Math.fma(taps[w * channels + channel], ring[row * CHANNELS + i], sum);
      }
      ring[oldest * CHANNELS + i] = current;
      y[yAt + i] = sum;
    }
  }
}
