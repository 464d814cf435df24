package dev.gdn.model.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class SamplerTest {
  private static final int DRAWS = 20_000;

  private static double[] frequencies(float[] logits, GenerationOptions options) {
    Sampler sampler = new Sampler(options);
    double[] counts = new double[logits.length];
    for (int i = 0; i < DRAWS; i++) {
      counts[sampler.sample(logits)] += 1.0 / DRAWS;
    }
    return counts;
  }

  private static float[] logs(double... probabilities) {
    float[] logits = new float[probabilities.length];
    for (int i = 0; i < logits.length; i++) {
      logits[i] = (float) Math.log(probabilities[i]) + 3;
    }
    return logits;
  }

  private static GenerationOptions options(float temperature, int topK, float topP) {
    return GenerationOptions.defaults()
        .withTemperature(temperature)
        .withTopK(topK)
        .withTopP(topP)
        .withSeed(7);
  }

  private static void assertFrequencies(float[] logits, GenerationOptions options, double... want) {
    double[] found = frequencies(logits, options);
    for (int i = 0; i < want.length; i++) {
      // Five standard deviations of a frequency over so many draws, and what their sum rounds.
      double bound = 5 * Math.sqrt(want[i] * (1 - want[i]) / DRAWS) + 1e-9;
      assertEquals(want[i], found[i], bound, "token " + i);
    }
  }

  @Test
  void drawsWithTheSoftmaxProbabilities() {
    assertFrequencies(logs(0.1, 0.6, 0.05, 0.25), options(1, 0, 1), 0.1, 0.6, 0.05, 0.25);
  }

  @Test
  void temperatureSharpens() {
    double sum = 0.01 + 0.36 + 0.0025 + 0.0625;
    assertFrequencies(
        logs(0.1, 0.6, 0.05, 0.25),
        options(0.5f, 0, 1),
        0.01 / sum,
        0.36 / sum,
        0.0025 / sum,
        0.0625 / sum);
  }

  @Test
  void topKKeepsTheLikeliest() {
    assertFrequencies(logs(0.1, 0.6, 0.05, 0.25), options(1, 2, 1), 0, 0.6 / 0.85, 0, 0.25 / 0.85);
  }

  @Test
  void topPKeepsTheNucleus() {
    // 0.6 alone is less than 0.8, so the next one belongs to it.
    assertFrequencies(
        logs(0.1, 0.6, 0.05, 0.25), options(1, 0, 0.8f), 0, 0.6 / 0.85, 0, 0.25 / 0.85);
    assertFrequencies(logs(0.1, 0.6, 0.05, 0.25), options(1, 0, 0.59f), 0, 1, 0, 0);
    // After top-k, the nucleus is of what top-k leaves: 0.6 / 0.85 is over 0.7.
    assertFrequencies(logs(0.1, 0.6, 0.05, 0.25), options(1, 2, 0.7f), 0, 1, 0, 0);
  }

  @Test
  void topPIsOfTheWholeWhereUnlikelyTokensAreMany() {
    double[] probabilities = new double[104];
    Arrays.fill(probabilities, 0.0046);
    probabilities[0] = 0.3;
    Arrays.fill(probabilities, 1, 4, 0.08);
    // Three of the first four are 0.46, less than half of the whole, so all four belong to it.
    double nucleus = 0.3 + 3 * 0.08;
    assertFrequencies(
        logs(probabilities),
        options(1, 0, 0.5f),
        0.3 / nucleus,
        0.08 / nucleus,
        0.08 / nucleus,
        0.08 / nucleus);
  }

  @Test
  void topKAgreesWithSortingOnLargeVocabularies() {
    Random random = new Random(1);
    float[] logits = new float[5_000];
    for (int i = 0; i < logits.length; i++) {
      logits[i] = (float) random.nextGaussian();
    }
    float[] sorted = logits.clone();
    Arrays.sort(sorted);
    float threshold = sorted[sorted.length - 40];
    Sampler sampler = new Sampler(options(5, 40, 1));
    BitSet seen = new BitSet();
    for (int i = 0; i < 4_000; i++) {
      int token = sampler.sample(logits);
      assertTrue(logits[token] >= threshold, "token " + token);
      seen.set(token);
    }
    assertEquals(40, seen.cardinality());
  }

  @Test
  void sameSeedSameTokens() {
    float[] logits = logs(0.2, 0.3, 0.1, 0.4);
    Sampler one = new Sampler(options(1, 0, 1));
    Sampler other = new Sampler(options(1, 0, 1));
    for (int i = 0; i < 100; i++) {
      assertEquals(one.sample(logits), other.sample(logits));
    }
  }

  @Test
  void greedyTakesTheFirstOfTheLikeliest() {
    assertEquals(1, new Sampler(GenerationOptions.greedy()).sample(new float[] {-1, 2, 2, 0}));
    assertEquals(0, new Sampler(options(1, 1, 1)).sample(new float[] {0, -0.0f}));
  }

  @Test
  void noTokenIsTakenThatIsNotANumber() {
    float[] logits = {Float.NaN, Float.NEGATIVE_INFINITY, 1, Float.POSITIVE_INFINITY};
    for (GenerationOptions o : new GenerationOptions[] {options(1, 0, 1), options(0, 0, 1)}) {
      assertEquals(2, new Sampler(o).sample(logits));
    }
    float[] none = {Float.NaN, Float.NEGATIVE_INFINITY};
    assertThrows(IllegalStateException.class, () -> new Sampler(options(1, 0, 1)).sample(none));
  }

  @Test
  void optionsOutOfRangeAreNamed() {
    assertNamed("temperature", () -> options(-1, 0, 1));
    assertNamed("temperature", () -> options(Float.NaN, 0, 1));
    assertNamed("top-k", () -> options(1, -1, 1));
    assertNamed("top-p", () -> options(1, 0, 0));
    assertNamed("top-p", () -> options(1, 0, 1.5f));
    assertNamed("max tokens", () -> GenerationOptions.defaults().withMaxTokens(-1));
  }

  private static void assertNamed(String option, Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(message.startsWith(option + ": expected"), message);
  }
}
