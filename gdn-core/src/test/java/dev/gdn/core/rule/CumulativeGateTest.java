package dev.gdn.core.rule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CumulativeGateTest {
  private static float[] decays(float... g) {
    double[] sums = new double[g.length];
    CumulativeGate.sum(g, 0, 1, sums, g.length);
    float[] decays = new float[g.length * g.length];
    Arrays.fill(decays, Float.NaN); // what a chunk leaves to the next is of no account
    CumulativeGate.between(sums, decays, g.length, g.length);
    return decays;
  }

  @Test
  void smallGatesSurviveAfterLargeOnes() {
    float[] decays = decays(-1000, -1e-6f, -1e-6f);
    assertEquals((float) Math.exp(-2e-6), decays[2 * 3]);
    assertEquals((float) Math.exp(-1e-6), decays[2 * 3 + 1]);
  }

  @Test
  void gateOfMinusInfinityForgetsAndNothingElse() {
    float forget = Float.NEGATIVE_INFINITY;
    assertArrayEquals(
        new float[] {1, 0, 0, 0, 1, 0, 0, (float) Math.exp(-0.5f), 1}, decays(-1, forget, -0.5f));
    assertArrayEquals(new float[] {1, 0, 0, 0, 1, 0, 0, 0, 1}, decays(forget, forget, forget));
  }

  @Test
  void gatesAreReadWithTheirStride() {
    double[] sums = new double[3];
    CumulativeGate.sum(new float[] {9, -1, 9, -2, 9, -4}, 1, 2, sums, 3);
    assertArrayEquals(new double[] {-1, -3, -7}, sums);
  }
}
