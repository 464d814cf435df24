package dev.gdn.kernels;

import static org.junit.jupiter.api.Assertions.fail;

import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import java.util.Random;

/**
 * Views for tests. Whatever a kernel has not to read, and every output before it is written, is
 * NaN: an element that is left unwritten, or read from the wrong place, is seen.
 */
final class Views {
  /** Rounding error of one float32 operation, relative to its result. */
  static final double UNIT = 0x1p-24;

  private Views() {}

  /** All NaN, with gaps between tokens and heads, and before the first and after the last. */
  static TokenTensor blank(int tokens, int heads, int width) {
    int headStride = heads == 1 ? width : width + 2;
    int tokenStride = heads * headStride + 5;
    float[] data = new float[3 + tokens * tokenStride + 4];
    Arrays.fill(data, Float.NaN);
    return new TokenTensor(data, 3, tokenStride, heads, headStride, width);
  }

  /** Normally distributed numbers, with gaps of NaN. */
  static TokenTensor random(Random random, int tokens, int heads, int width) {
    return random(random, tokens, heads, width, 0, 1);
  }

  static TokenTensor random(
      Random random, int tokens, int heads, int width, double mean, double deviation) {
    TokenTensor view = blank(tokens, heads, width);
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < heads; h++) {
        for (int i = 0; i < width; i++) {
          view.data()[view.at(t, h) + i] = (float) (mean + deviation * random.nextGaussian());
        }
      }
    }
    return view;
  }

  static TokenTensor copy(TokenTensor view) {
    return new TokenTensor(
        view.data().clone(),
        view.offset(),
        view.tokenStride(),
        view.heads(),
        view.headStride(),
        view.width());
  }

  static double get(TokenTensor view, int token, int head, int i) {
    return view.data()[view.at(token, head) + i];
  }

  static void assertNear(String what, double expected, double actual, double tolerance) {
    // Written so that NaN fails.
    if (!(Math.abs(expected - actual) <= tolerance)) {
      fail(
          "%s: expected %s within %.3g, found %s (off by %.3g)"
              .formatted(what, expected, tolerance, actual, Math.abs(expected - actual)));
    }
  }

  /** Everything in the array that does not belong to the view is still NaN. */
  static void assertGapsUntouched(TokenTensor view, int tokens) {
    float[] data = view.data().clone();
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < view.heads(); h++) {
        Arrays.fill(data, view.at(t, h), view.at(t, h) + view.width(), Float.NaN);
      }
    }
    for (int i = 0; i < data.length; i++) {
      if (!Float.isNaN(data[i])) {
        fail("written outside of the view: element " + i);
      }
    }
  }
}
