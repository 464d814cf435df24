package dev.gdn.model.synth;

import dev.gdn.model.gguf.RowSource;
import java.util.SplittableRandom;

/**
 * Rows of random numbers, close to a normal distribution. Each row has a generator of its own, so
 * that rows can be made in any order and by several threads.
 *
 * @param seed of the tensor
 * @param mean of the numbers
 * @param deviation their standard deviation
 */
record RandomRows(long seed, float mean, float deviation) implements RowSource {
  /** Standard deviation of the sum of four uniform numbers from 0 to 2^16 - 1. */
  private static final double SUM_DEVIATION = 65_536 / Math.sqrt(3);

  /** Any odd number but a small multiple of the generator's own step, which would shift rows. */
  private static final long ROW_STEP = 0xD1342543DE82EF95L;

  private static final int SUM_MEAN = 2 * 65_535;

  @Override
  public void fill(long row, float[] target) {
    SplittableRandom random = new SplittableRandom(seed + ROW_STEP * row);
    float factor = (float) (deviation / SUM_DEVIATION);
    for (int i = 0; i < target.length; i++) {
      long bits = random.nextLong();
      int sum =
          (int) (bits & 0xFFFF)
              + (int) (bits >>> 16 & 0xFFFF)
              + (int) (bits >>> 32 & 0xFFFF)
              + (int) (bits >>> 48);
      target[i] = mean + factor * (sum - SUM_MEAN);
    }
  }
}
