package dev.gdn.kernels;

import static dev.gdn.kernels.Views.UNIT;
import static dev.gdn.kernels.Views.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.ConvolutionWeights;
import dev.gdn.core.kernel.ShortConvolution;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShortConvolutionTest {
  private static final int[] CHANNELS = {1, 3, 7, 16, 24, 33, 64, 130, 300, 515};
  private static final int[] TOKENS = {0, 1, 2, 5, 16, 17, 65};

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void outputAndWindowFollowTheDefinition(KernelSet set) {
    ShortConvolution convolution = set.open().convolution();
    Random random = new Random(1);
    for (int channels : CHANNELS) {
      for (int tokens : TOKENS) {
        for (int width = 2; width <= 8; width++) {
          check(convolution, random, channels, width, tokens, tokens / 3);
        }
      }
    }
  }

  /** At once, and in place in two runs. */
  static void check(
      ShortConvolution convolution, Random random, int channels, int width, int tokens, int first) {
    ConvolutionWeights weights = weights(random, channels, width);
    TokenTensor x = Views.random(random, tokens, 1, channels);
    float[] state = Values.random(random, weights.stateSize());
    TokenTensor y = Views.blank(tokens, 1, channels);
    float[] window = state.clone();
    convolution.convolve(weights, x, window, y, tokens);
    check(weights, x, state, y, window, tokens);

    TokenTensor inPlace = Views.copy(x);
    float[] split = state.clone();
    convolution.convolve(weights, inPlace, split, inPlace, first);
    TokenTensor rest = inPlace.from(first);
    convolution.convolve(weights, rest, split, rest, tokens - first);
    check(weights, x, state, inPlace, split, tokens);
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void sizesThatDoNotFitAreRefused(KernelSet set) {
    ShortConvolution convolution = set.open().convolution();
    ConvolutionWeights weights = weights(new Random(2), 6, 4);
    TokenTensor good = Views.blank(3, 1, 6);
    TokenTensor bad = Views.blank(3, 1, 7);
    refused(() -> convolution.convolve(weights, bad, new float[18], good, 3), "7");
    refused(() -> convolution.convolve(weights, good, new float[18], bad, 3), "7");
    refused(() -> convolution.convolve(weights, good, new float[17], good, 3), "17");
    refused(() -> convolution.convolve(weights, good, new float[18], good, 9), "9");
  }

  static void refused(Runnable call, String mentioned) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call::run);
    assertTrue(e.getMessage().contains(mentioned), e.getMessage());
  }

  private static ConvolutionWeights weights(Random random, int channels, int width) {
    float[] taps = Values.random(random, channels * width);
    float[] bias = random.nextBoolean() ? Values.random(random, channels) : null;
    Activation activation = random.nextBoolean() ? Activation.SILU : Activation.IDENTITY;
    return new ConvolutionWeights(channels, width, taps, bias, activation);
  }

  private static void check(
      ConvolutionWeights weights,
      TokenTensor x,
      float[] state,
      TokenTensor y,
      float[] window,
      int tokens) {
    int past = weights.width() - 1;
    for (int c = 0; c < weights.channels(); c++) {
      String what = "channel " + c;
      for (int t = 0; t < tokens; t++) {
        double sum = weights.bias() == null ? 0 : weights.bias()[c];
        double size = Math.abs(sum);
        for (int w = 0; w <= past; w++) {
          double product =
              weights.taps()[w * weights.channels() + c]
                  * input(weights, x, state, t - past + w, c);
          sum += product;
          size += Math.abs(product);
        }
        // A sum of width + 1 terms, then an activation that is steeper than 1 by a tenth at most
        // and itself right to a few units.
        double expected = Values.apply(weights.activation(), sum);
        double tolerance =
            1.1 * (weights.width() + 2) * UNIT * size + 4 * UNIT * Math.abs(expected);
        Views.assertNear(what, expected, get(y, t, 0, c), tolerance);
      }
      for (int w = 0; w < past; w++) {
        assertEquals(
            (float) input(weights, x, state, tokens - past + w, c),
            window[w * weights.channels() + c]);
      }
    }
    Views.assertGapsUntouched(y, tokens);
  }

  private static double input(
      ConvolutionWeights weights, TokenTensor x, float[] state, int t, int c) {
    return t >= 0 ? get(x, t, 0, c) : state[(weights.width() - 1 + t) * weights.channels() + c];
  }
}
