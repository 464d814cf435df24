package dev.gdn.model.layer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HighestScoresTest {
  private final HighestScores highest = new HighestScores();

  private int[] select(int chosen, float... scores) {
    return Arrays.copyOf(highest.select(scores, scores.length, chosen), chosen);
  }

  @Test
  void theHighestAreSelected() {
    Random random = new Random(1);
    for (int count : new int[] {1, 2, 3, 4, 5, 63, 1000}) {
      float[] scores = new float[count];
      for (int chosen = 1; chosen <= count; chosen += 1 + count / 7) {
        IntStream.range(0, count).forEach(i -> scores[i] = random.nextFloat());
        int[] expected =
            IntStream.range(0, count)
                .boxed()
                .sorted((a, b) -> Float.compare(scores[b], scores[a]))
                .limit(chosen)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
        assertArrayEquals(expected, select(chosen, scores));
      }
    }
  }

  /** Scores and choice of the reference. */
  @Test
  void ofEqualScoresThoseOfTheReference() {
    assertArrayEquals(new int[] {0, 2, 3, 4}, select(4, 4.9144363f, 0, 0, 2.2204719f, 0));
  }

  /** Organ pipes make medians of three split badly. */
  @Test
  void scoresThatSplitBadly() {
    int count = 4096;
    float[] scores = new float[count];
    IntStream.range(0, count).forEach(i -> scores[i] = Math.min(i, count - i));
    for (int chosen : new int[] {1, 100, count - 1}) {
      float[] sorted = scores.clone();
      Arrays.sort(sorted);
      double expected = 0;
      for (int i = count - chosen; i < count; i++) {
        expected += sorted[i];
      }
      int[] selected = select(chosen, scores);
      assertEquals(chosen, Arrays.stream(selected).distinct().count());
      assertEquals(expected, Arrays.stream(selected).mapToDouble(i -> scores[i]).sum());
    }
  }
}
