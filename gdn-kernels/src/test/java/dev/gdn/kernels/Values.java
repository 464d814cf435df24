package dev.gdn.kernels;

import dev.gdn.core.kernel.Activation;
import java.util.Random;

/** Arrays and float64 functions for tests. */
final class Values {
  private Values() {}

  static float[] random(Random random, int n) {
    float[] values = new float[n];
    for (int i = 0; i < n; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  static double apply(Activation activation, double x) {
    return switch (activation) {
      case IDENTITY -> x;
      case SIGMOID -> 1 / (1 + Math.exp(-x));
      case SILU -> x / (1 + Math.exp(-x));
    };
  }
}
