package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;
import static dev.gdn.kernels.vector.Lanes.PANEL;

import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * Packs the queries or keys of a chunk, divided by their lengths where that is asked for. All
 * lengths are found before anything is copied: one row after the other, a row's copy waited for its
 * root and quotient.
 */
final class UnitRows {
  private float[] lanes = {};
  private float[] factors = {};

  /** Makes room for chunks of {@code rows} tokens. */
  void reserve(int rows) {
    if (factors.length < rows) {
      lanes = new float[rows * COUNT];
      factors = new float[rows];
    }
  }

  /**
   * Reads the tokens of a chunk.
   *
   * @param rows {@code tokens}, rounded up to whole tiles
   * @param packed {@code [rows, stride]}, filled up with zeros
   */
  void pack(
      TokenTensor x,
      int head,
      int first,
      int tokens,
      int rows,
      boolean normalise,
      float[] packed,
      int stride) {
    int at = x.at(first, head);
    if (normalise) {
      findFactors(x.data(), at, x.tokenStride(), tokens, x.width());
    } else {
      Arrays.fill(factors, 0, tokens, 1f);
    }
    copy(x.data(), at, x.tokenStride(), tokens, x.width(), factors, packed, stride);
    Arrays.fill(packed, tokens * stride, rows * stride, 0f);
  }

  private void findFactors(float[] x, int at, int step, int tokens, int width) {
    Lanes.squares(x, at, step, tokens, width, lanes);
    for (int t = 0; t < tokens; t++) {
      double squares = Lanes.sumOfSquares(lanes, t * COUNT, x, at + t * step, width);
      factors[t] = (float) (1 / Math.sqrt(squares + RuleParameters.L2_EPSILON));
    }
  }

  /** packed_t = factor_t x_t for {@code tokens} rows, each filled up with zeros. */
  static void copy(
      float[] x,
      int at,
      int step,
      int tokens,
      int width,
      float[] factors,
      float[] packed,
      int stride) {
    for (int t = 0; t < tokens; t++) {
      int from = at + t * step;
      int to = t * stride;
      float factor = factors[t];
      int i = 0;
      for (; i <= width - PANEL; i += PANEL) {
        FloatVector left = FloatVector.fromArray(F, x, from + i);
        FloatVector right = FloatVector.fromArray(F, x, from + i + COUNT);
        left.mul(factor).intoArray(packed, to + i);
        right.mul(factor).intoArray(packed, to + i + COUNT);
      }
      for (; i < width; i++) {
        packed[to + i] = factor * x[from + i];
      }
      for (; i < stride; i++) {
        packed[to + i] = 0f;
      }
    }
  }
}
