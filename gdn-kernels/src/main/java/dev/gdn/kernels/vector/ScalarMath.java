package dev.gdn.kernels.vector;

/** The functions of {@link Activations} for what is left of a row: in float64, rounded once. */
final class ScalarMath {
  private ScalarMath() {}

  /** 1 / (1 + e^-x). */
  static float sigmoid(float x) {
    return (float) (1 / (1 + Math.exp(-(double) x)));
  }

  /** x / (1 + e^-x), and its limit −0 at minus infinity. */
  static float silu(float x) {
    return x == Float.NEGATIVE_INFINITY ? -0f : (float) (x / (1 + Math.exp(-(double) x)));
  }

  /** ln(1 + e^x). */
  static float softplus(float x) {
    return (float) (Math.max(x, 0d) + Math.log1p(Math.exp(-Math.abs((double) x))));
  }
}
