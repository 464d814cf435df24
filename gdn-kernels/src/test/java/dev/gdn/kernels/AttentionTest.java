package dev.gdn.kernels;

import static dev.gdn.kernels.ShortConvolutionTest.refused;
import static dev.gdn.kernels.Views.UNIT;
import static dev.gdn.kernels.Views.get;

import dev.gdn.core.kernel.Attention;
import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.kernel.KeyValueType;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AttentionTest {
  private static final int[] TOKENS = {0, 1, 2, 5, 15, 16, 17, 63, 64, 65};
  private static final int[] PAST = {0, 1, 17, 255, 256, 300};
  private static final int[][] WIDTHS = {
    {1, 1}, {3, 7}, {7, 3}, {16, 16}, {24, 33}, {33, 24}, {64, 64}, {130, 96}, {128, 130}
  };
  private static final int[][] HEADS = {{1, 1}, {4, 2}, {6, 1}, {3, 3}};

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void outputsFollowTheDefinition(KernelSet set) {
    Attention attention = set.open().attention();
    Random random = new Random(1);
    int turn = 0;
    for (int[] widths : WIDTHS) {
      for (int past : PAST) {
        for (int n = 0; n < 2; n++, turn++) {
          int tokens = TOKENS[turn % TOKENS.length];
          int[] heads = HEADS[turn % HEADS.length];
          // Every third time scores are far apart, in the range where exponentials vanish.
          double size = turn % 3 == 0 ? 40 : 1;
          TokenTensor k = Views.random(random, past + tokens, heads[1], widths[0]);
          TokenTensor v = Views.random(random, past + tokens, heads[1], widths[1]);
          TokenTensor q = Views.random(random, tokens, heads[0], widths[0], 0, size);
          for (KeyValueType type : KeyValueType.values()) {
            check(attention, type, q, k, v, past, tokens);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void sizesThatDoNotFitAreRefused(KernelSet set) {
    Attention attention = set.open().attention();
    KeyValueCache cache = new KeyValueCache(2, 8, 6);
    TokenTensor q = Views.blank(5, 4, 8);
    TokenTensor o = Views.blank(5, 4, 6);
    refused(() -> attention.attend(q, cache, 1, o, 5), "5");
    cache.append(Views.blank(5, 2, 8), Views.blank(5, 2, 6), 5);
    refused(() -> attention.attend(o, cache, 1, o, 5), "8");
    refused(() -> attention.attend(q, cache, 1, q, 5), "6");
    refused(() -> attention.attend(Views.blank(2, 4, 8), cache, 1, o, 5), "5");
    refused(() -> attention.attend(Views.blank(5, 3, 8), cache, 1, Views.blank(5, 3, 6), 5), "3");
  }

  static void check(
      Attention attention,
      KeyValueType type,
      TokenTensor q,
      TokenTensor k,
      TokenTensor v,
      int past,
      int tokens) {
    KeyValueCache cache = new KeyValueCache(type, k.heads(), k.width(), v.width());
    cache.append(k, v, past + tokens);
    if (type == KeyValueType.F16) {
      k = halves(k);
      v = halves(v);
    }
    float scale = (float) (1 / Math.sqrt(k.width()));
    TokenTensor o = Views.blank(tokens, q.heads(), v.width());
    attention.attend(q, cache, scale, o, tokens);
    check(q, k, v, scale, o, past, tokens);
    if (k.width() == v.width()) {
      TokenTensor inPlace = Views.copy(q);
      attention.attend(inPlace, cache, scale, inPlace, tokens);
      check(q, k, v, scale, inPlace, past, tokens);
    }
  }

  private static TokenTensor halves(TokenTensor x) {
    TokenTensor rounded = Views.copy(x);
    float[] data = rounded.data();
    for (int i = 0; i < data.length; i++) {
      data[i] = Float.float16ToFloat(Float.floatToFloat16(data[i]));
    }
    return rounded;
  }

  private static void check(
      TokenTensor q,
      TokenTensor k,
      TokenTensor v,
      float scale,
      TokenTensor o,
      int past,
      int tokens) {
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < q.heads(); h++) {
        int head = h / (q.heads() / k.heads());
        int visible = past + t + 1;
        double[] scores = new double[visible];
        double largest = Double.NEGATIVE_INFINITY;
        double size = 0;
        for (int j = 0; j < visible; j++) {
          double terms = 0;
          for (int i = 0; i < k.width(); i++) {
            double product = scale * get(q, t, h, i) * get(k, j, head, i);
            scores[j] += product;
            terms += Math.abs(product);
          }
          largest = Math.max(largest, scores[j]);
          size = Math.max(size, terms);
        }
        double total = 0;
        for (int j = 0; j < visible; j++) {
          scores[j] = Math.exp(scores[j] - largest);
          total += scores[j];
        }
        // A score is off by its width in units of Σ|q·k|, which changes numerator and denominator
        // by as large a part of them; each is then a sum of as many terms as there are tokens.
        double units = 2 * (k.width() + 3) * size + 2 * visible + 16;
        String what = "token " + t + " after " + past + ", head " + h;
        for (int c = 0; c < v.width(); c++) {
          double sum = 0;
          double magnitude = 0;
          for (int j = 0; j < visible; j++) {
            double term = scores[j] / total * get(v, j, head, c);
            sum += term;
            magnitude += Math.abs(term);
          }
          Views.assertNear(what, sum, get(o, t, h, c), units * UNIT * magnitude + 1e-37);
        }
      }
    }
    Views.assertGapsUntouched(o, tokens);
  }
}
