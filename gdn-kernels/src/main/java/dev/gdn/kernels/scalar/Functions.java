package dev.gdn.kernels.scalar;

import dev.gdn.core.kernel.Activation;

/** Pointwise functions, computed in float64 and rounded once. */
final class Functions {
  private Functions() {}

  static float apply(Activation activation, float x) {
    return switch (activation) {
      case IDENTITY -> x;
      case SIGMOID -> (float) (1 / (1 + Math.exp(-(double) x)));
      case SILU -> silu(x);
    };
  }

  private static float silu(float x) {
    // Its limit, where the formula has infinity by infinity.
    return x == Float.NEGATIVE_INFINITY ? -0f : (float) (x / (1 + Math.exp(-(double) x)));
  }

  /** log(1 + e^x), without overflow for large x and without cancellation for small x. */
  static double softplus(double x) {
    return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
  }
}
