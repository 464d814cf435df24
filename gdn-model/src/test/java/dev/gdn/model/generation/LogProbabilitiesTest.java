package dev.gdn.model.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogProbabilitiesTest {
  @Test
  void areTheLogarithmsOfTheSoftmax() {
    float[] logits = {
      (float) Math.log(0.5) + 80,
      Float.NaN,
      (float) Math.log(0.125) + 80,
      (float) Math.log(0.375) + 80
    };
    LogProbabilities found = LogProbabilities.of(logits, 2, 2);
    assertEquals(2, found.chosen().id());
    assertEquals(Math.log(0.125), found.chosen().logProbability(), 1e-5);
    assertEquals(List.of(0, 3), found.likeliest().stream().map(TokenLogProbability::id).toList());
    assertEquals(Math.log(0.375), found.likeliest().get(1).logProbability(), 1e-5);
  }

  @Test
  void likeliestAreThoseThatSortingFinds() {
    Random random = new Random(3);
    for (int count : new int[] {0, 1, 5, 100}) {
      float[] logits = new float[60];
      for (int i = 0; i < logits.length; i++) {
        logits[i] = random.nextInt(20); // with equals
      }
      List<Integer> expected =
          IntStream.range(0, logits.length)
              .boxed()
              .sorted((a, b) -> Float.compare(logits[b], logits[a]))
              .limit(count)
              .toList();
      LogProbabilities found = LogProbabilities.of(logits, 0, count);
      assertEquals(expected, found.likeliest().stream().map(TokenLogProbability::id).toList());
    }
  }

  @Test
  void whatIsNoNumberIsNoAlternative() {
    float[] logits = new float[4];
    Arrays.fill(logits, Float.NaN);
    logits[3] = 1;
    LogProbabilities found = LogProbabilities.of(logits, 3, 4);
    assertEquals(List.of(new TokenLogProbability(3, 0)), found.likeliest());
  }
}
