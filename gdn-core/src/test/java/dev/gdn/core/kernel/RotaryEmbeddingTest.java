package dev.gdn.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class RotaryEmbeddingTest {
  @Test
  void pairTurnsByItsFrequencyTimesThePosition() {
    RotaryAngles angles = new RotaryAngles(2, 4);
    RotaryEmbedding.of(8, 10_000, null).fill(angles, 7, 2);
    double[] frequencies = {1, 0.1, 0.01, 0.001};
    for (int t = 0; t < 2; t++) {
      for (int i = 0; i < 4; i++) {
        double angle = (7 + t) * frequencies[i];
        assertEquals(Math.cos(angle), angles.cosines()[t * 4 + i], 2e-6);
        assertEquals(Math.sin(angle), angles.sines()[t * 4 + i], 2e-6);
      }
    }
  }

  @Test
  void sectionsInterleaveTheThreePositions() {
    RotaryAngles angles = new RotaryAngles(1, 8);
    RotaryEmbedding embedding = RotaryEmbedding.of(16, 10_000, new int[] {4, 2, 2});
    embedding.fill(angles, new int[][] {{0}, {100}, {200}}, 1);
    int[] positions = {0, 100, 200, 0, 100, 200, 0, 0};
    for (int i = 0; i < 8; i++) {
      double angle = positions[i] / Math.pow(10_000, i / 8.0);
      assertEquals(Math.cos(angle), angles.cosines()[i], 2e-5);
    }
  }

  @Test
  void badSizesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> RotaryEmbedding.of(7, 10_000, null));
    assertThrows(IllegalArgumentException.class, () -> RotaryEmbedding.of(8, 0, null));
    assertThrows(
        IllegalArgumentException.class, () -> RotaryEmbedding.of(8, 1e4, new int[] {2, 1, 2}));
    RotaryEmbedding embedding = RotaryEmbedding.of(8, 10_000, null);
    assertThrows(
        IllegalArgumentException.class, () -> embedding.fill(new RotaryAngles(2, 4), 0, 3));
    RotaryEmbedding three = RotaryEmbedding.of(8, 10_000, new int[] {2, 1, 1});
    assertThrows(
        IllegalArgumentException.class, () -> three.fill(new RotaryAngles(2, 4), new int[3][3], 3));
    assertThrows(
        IllegalArgumentException.class, () -> three.fill(new RotaryAngles(3, 5), new int[3][3], 3));
  }
}
