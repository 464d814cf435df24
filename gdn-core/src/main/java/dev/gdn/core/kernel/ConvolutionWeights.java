package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;
import java.util.Objects;

/**
 * A depthwise causal convolution. Safe to share: the arrays are not to be changed.
 *
 * @param channels independent channels
 * @param width taps of each channel, {@value #MINIMUM_WIDTH} to {@value #MAXIMUM_WIDTH}
 * @param taps {@code [width, channels]}, oldest token first: the last row multiplies the current
 *     token
 * @param bias {@code [channels]}, or null for none
 * @param activation applied to the sum
 */
public record ConvolutionWeights(
    int channels, int width, float[] taps, float[] bias, Activation activation) {
  /** The fewest taps: with one there would be no past input to keep. */
  public static final int MINIMUM_WIDTH = 2;

  /** The most taps. */
  public static final int MAXIMUM_WIDTH = 8;

  /**
   * @throws IllegalArgumentException if a size does not fit
   */
  public ConvolutionWeights {
    Objects.requireNonNull(activation, "activation");
    if (channels < 1 || width < MINIMUM_WIDTH || width > MAXIMUM_WIDTH) {
      throw new IllegalArgumentException(
          "convolution: expected channels >= 1 and a width of %d to %d, found %d and %d"
              .formatted(MINIMUM_WIDTH, MAXIMUM_WIDTH, channels, width));
    }
    if (taps.length != (long) channels * width) {
      throw new IllegalArgumentException(
          "convolution taps: expected %d x %d values, found %d"
              .formatted(width, channels, taps.length));
    }
    if (bias != null && bias.length != channels) {
      throw new IllegalArgumentException(
          "convolution bias: expected %d values, found %d".formatted(channels, bias.length));
    }
  }

  /** From the checkpoint's layout, {@code [channels, width]}. */
  public static ConvolutionWeights fromChannelMajor(
      int channels, int width, float[] weight, float[] bias, Activation activation) {
    if (weight.length != (long) channels * width) {
      throw new IllegalArgumentException(
          "convolution weight: expected %d x %d values, found %d"
              .formatted(channels, width, weight.length));
    }
    float[] taps = new float[weight.length];
    for (int c = 0; c < channels; c++) {
      for (int w = 0; w < width; w++) {
        taps[w * channels + c] = weight[c * width + w];
      }
    }
    return new ConvolutionWeights(channels, width, taps, bias, activation);
  }

  /** Elements of the window of past inputs, {@code [width - 1, channels]}, oldest first. */
  public int stateSize() {
    return (width - 1) * channels;
  }

  /**
   * Checks that the arguments of a convolution fit these weights.
   *
   * @throws IllegalArgumentException naming the one that does not
   */
  public void check(TokenTensor x, float[] state, TokenTensor y, int tokens) {
    x.check("convolution input", tokens, 1, channels);
    y.check("convolution output", tokens, 1, channels);
    if (state.length != stateSize()) {
      throw new IllegalArgumentException(
          "convolution state: expected %d x %d values, found %d"
              .formatted(width - 1, channels, state.length));
    }
  }
}
