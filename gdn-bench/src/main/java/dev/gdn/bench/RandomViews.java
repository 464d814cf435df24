package dev.gdn.bench;

import dev.gdn.core.tensor.TokenTensor;
import java.util.Random;

/** Inputs of the benchmarks. */
final class RandomViews {
  private RandomViews() {}

  /** Normally distributed numbers. */
  static TokenTensor normal(Random random, int tokens, int heads, int width) {
    float[] data = new float[tokens * heads * width];
    for (int i = 0; i < data.length; i++) {
      data[i] = (float) random.nextGaussian();
    }
    return TokenTensor.of(data, heads, width);
  }

  /** Evenly distributed numbers. */
  static TokenTensor uniform(Random random, int tokens, int width, float least, float most) {
    float[] data = new float[tokens * width];
    for (int i = 0; i < data.length; i++) {
      data[i] = least + (most - least) * random.nextFloat();
    }
    return TokenTensor.of(data, width);
  }
}
