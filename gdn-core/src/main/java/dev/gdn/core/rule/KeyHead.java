package dev.gdn.core.rule;

import dev.gdn.core.tensor.Rows;
import dev.gdn.core.tensor.TokenTensor;

/** Queries or keys of one head, gathered from a view: {@code [tokens, K]}, normalised or not. */
public final class KeyHead {
  private KeyHead() {}

  /** Gathers {@code tokens} tokens from {@code first} on. */
  public static void gather(
      boolean normalise, TokenTensor x, int head, int first, int tokens, float[] target) {
    int width = x.width();
    for (int t = 0; t < tokens; t++) {
      int at = x.at(first + t, head);
      float factor =
          normalise ? Rows.inverseNorm(RuleParameters.L2_EPSILON, x.data(), at, width) : 1;
      Rows.scale(factor, x.data(), at, target, t * width, width);
    }
  }

  /**
   * Derivatives by what was gathered become derivatives by the view. With y = n x, n = rsqrt(Σx² +
   * 1e-6) it is dx = n (dy − y (y·dy)).
   *
   * @param x {@code [·, H, K]}
   * @param derivatives by y on entry, by x on return, {@code [·, H, K]}
   */
  public static void normBackward(
      TokenTensor x, int head, int first, int tokens, TokenTensor derivatives) {
    int width = x.width();
    float[] d = derivatives.data();
    for (int t = first; t < first + tokens; t++) {
      int at = x.at(t, head);
      int to = derivatives.at(t, head);
      // In float64: where y is almost along dy, little is left of the difference.
      float[] values = x.data();
      double squares = RuleParameters.L2_EPSILON + Rows.exactDot(values, at, values, at, width);
      double product = Rows.exactDot(values, at, d, to, width);
      subtractAlong(values, at, product / squares, 1 / Math.sqrt(squares), d, to, width);
    }
  }

  // d_i = factor (d_i − along x_i).
  private static void subtractAlong(
      float[] x, int at, double along, double factor, float[] d, int to, int n) {
    for (int i = 0; i < n; i++) {
      d[to + i] = (float) (factor * (d[to + i] - x[at + i] * along));
    }
  }
}
