package dev.gdn.model.generation;

import static java.util.Collections.singletonMap;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.error.NoTokenLeftException;
import dev.gdn.model.error.NonFiniteLogitsException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class SamplerTest {
  private static final int DRAWS = 20_000;

  private static double[] frequencies(float[] logits, GenerationOptions options) {
    Sampler sampler = new Sampler(options.sampling());
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
    Sampler sampler = new Sampler(options(5, 40, 1).sampling());
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
    Sampler one = new Sampler(options(1, 0, 1).sampling());
    Sampler other = new Sampler(options(1, 0, 1).sampling());
    for (int i = 0; i < 100; i++) {
      assertEquals(one.sample(logits), other.sample(logits));
    }
  }

  @Test
  void greedyTakesTheFirstOfTheLikeliest() {
    assertEquals(
        1, new Sampler(GenerationOptions.greedy().sampling()).sample(new float[] {-1, 2, 2, 0}));
    assertEquals(0, new Sampler(options(1, 1, 1).sampling()).sample(new float[] {0, -0.0f}));
  }

  @Test
  void noTokenIsTakenThatIsNotANumber() {
    float[] logits = {Float.NaN, Float.NEGATIVE_INFINITY, 1, Float.POSITIVE_INFINITY};
    for (GenerationOptions o : new GenerationOptions[] {options(1, 0, 1), options(0, 0, 1)}) {
      assertEquals(2, new Sampler(o.sampling()).sample(logits));
    }
    float[] none = {Float.NaN, Float.NEGATIVE_INFINITY};
    assertThrows(
        IllegalStateException.class, () -> new Sampler(options(1, 0, 1).sampling()).sample(none));
  }

  @Test
  void optionsOutOfRangeAreNamed() {
    assertNamed("temperature", () -> options(-1, 0, 1));
    assertNamed("temperature", () -> options(Float.NaN, 0, 1));
    assertNamed("top-k", () -> options(1, -1, 1));
    assertNamed("top-p", () -> options(1, 0, 0));
    assertNamed("top-p", () -> options(1, 0, 1.5f));
    assertNamed("min-p", () -> options(1, 0, 1).withMinP(1.1f));
    assertNamed("repetition penalty", () -> options(1, 0, 1).withPenalties(0, 0, 0));
    assertNamed("repetition penalty", () -> options(1, 0, 1).withPenalties(1e-38f, 0, 0));
    assertNamed("repetition penalty", () -> options(1, 0, 1).withPenalties(101, 0, 0));
    assertNamed("presence penalty", () -> options(1, 0, 1).withPenalties(1, Float.NaN, 0));
    assertNamed("presence penalty", () -> options(1, 0, 1).withPenalties(1, -3e38f, 0));
    assertNamed("frequency penalty", () -> options(1, 0, 1).withPenalties(1, 0, -101));
    assertNamed("logit bias of 3", () -> options(1, 0, 1).withLogitBias(Map.of(3, -3e38f)));
    assertNamed("logit bias of 3", () -> options(1, 0, 1).withLogitBias(Map.of(3, 1.1e6f)));
    assertNamed(
        "frequency penalty", () -> options(1, 0, 1).withPenalties(1, 0, Float.POSITIVE_INFINITY));
    assertNamed("logit bias", () -> options(1, 0, 1).withLogitBias(Map.of(-1, 1f)));
    assertNamed("logit bias of 3", () -> options(1, 0, 1).withLogitBias(Map.of(3, Float.NaN)));
    assertNamed("stop strings", () -> options(1, 0, 1).withStopStrings("a", ""));
    assertNamed("stop strings", () -> options(1, 0, 1).withStopStrings("a", null));
    assertNamed("stop strings", () -> options(1, 0, 1).withStopStrings((String) null));
    assertNamed("logit bias of 3", () -> options(1, 0, 1).withLogitBias(singletonMap(3, null)));
    assertNamed("logit bias", () -> options(1, 0, 1).withLogitBias(singletonMap(null, 1f)));
    assertNamed("log-probabilities", () -> options(1, 0, 1).withLogProbabilities(101));
    assertNamed("thinking budget", () -> options(1, 0, 1).withThinkingBudget(-1));
    assertNamed("max tokens", () -> GenerationOptions.defaults().withMaxTokens(-1));
  }

  @Test
  void minPKeepsWhatIsNearTheLikeliest() {
    // A quarter of 0.6 is 0.15.
    assertFrequencies(
        logs(0.1, 0.6, 0.05, 0.25),
        options(1, 0, 1).withMinP(0.25f),
        0,
        0.6 / 0.85,
        0,
        0.25 / 0.85);
    assertFrequencies(logs(0.1, 0.6, 0.05, 0.25), options(1, 3, 1).withMinP(1), 0, 1, 0, 0);
    // Top-p is of the whole, not of what min-p leaves: 0.6 of 1 is less than 0.7.
    assertFrequencies(
        logs(0.1, 0.6, 0.05, 0.25),
        options(1, 0, 0.7f).withMinP(0.25f),
        0,
        0.6 / 0.85,
        0,
        0.25 / 0.85);
  }

  private static int next(SamplingOptions options, float[] logits, int[] prompt, int... generated) {
    Sampler sampler = new Sampler(options);
    sampler.see(prompt);
    for (int id : generated) {
      sampler.accept(id);
    }
    return sampler.sample(logits);
  }

  @Test
  void repetitionPenaltyDividesWhatIsPositiveAndMultipliesWhatIsNegative() {
    SamplingOptions o = SamplingOptions.defaults().withTemperature(0).withPenalties(2, 0, 0);
    assertEquals(0, next(o, new float[] {3, 1.6f, -9}, new int[] {}));
    assertEquals(1, next(o, new float[] {3, 1.6f, -9}, new int[] {0}));
    assertEquals(1, next(o, new float[] {3, 1.6f, -9}, new int[] {}, 0));
    assertEquals(0, next(o, new float[] {3, 1.4f, -9}, new int[] {0, 0, 0}, 0, 0));
    assertEquals(1, next(o, new float[] {-1, -1.9f, -9}, new int[] {0}));
    assertEquals(0, next(o, new float[] {-1, -2.1f, -9}, new int[] {0}));
  }

  @Test
  void presenceCountsOnceAndFrequencyEachTimeOfWhatWasGenerated() {
    float[] logits = {3, 2, 0};
    SamplingOptions presence =
        SamplingOptions.defaults().withTemperature(0).withPenalties(1, 1.5f, 0);
    assertEquals(0, next(presence, logits, new int[] {0, 0}));
    assertEquals(1, next(presence, logits, new int[] {}, 0));
    assertEquals(0, next(presence, logits, new int[] {}, 0, 0, 1));
    SamplingOptions frequency =
        SamplingOptions.defaults().withTemperature(0).withPenalties(1, 0, 0.6f);
    assertEquals(0, next(frequency, logits, new int[] {0, 0}));
    assertEquals(0, next(frequency, logits, new int[] {}, 0));
    assertEquals(1, next(frequency, logits, new int[] {}, 0, 0));
    assertEquals(2, next(frequency, logits, new int[] {}, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1));
  }

  @Test
  void biasIsAddedBeforeThePenalties() {
    SamplingOptions o =
        SamplingOptions.defaults()
            .withTemperature(0)
            .withLogitBias(Map.of(1, 2f, 2, Float.NEGATIVE_INFINITY));
    assertEquals(1, next(o, new float[] {1.5f, 0, 9}, new int[] {}));
    // (0 + 2) / 2 is less than 1.5; 0 / 2 + 2 would be more.
    assertEquals(0, next(o.withPenalties(2, 0, 0), new float[] {1.5f, 0, 9}, new int[] {1}));
  }

  @Test
  void logitsStayAsTheyAre() {
    float[] logits = {1, 2, 3};
    SamplingOptions o =
        SamplingOptions.defaults().withPenalties(2, 1, 1).withLogitBias(Map.of(0, 1f));
    next(o, logits, new int[] {0, 1}, 2);
    assertArrayEquals(new float[] {1, 2, 3}, logits);
  }

  @Test
  void onlyAllowedTokensAreTaken() {
    float[] logits = new float[130];
    for (int i = 0; i < logits.length; i++) {
      logits[i] = i;
    }
    long[] allowed = {1L << 5, 1L << 6}; // 5 and 70
    Sampler greedy = new Sampler(SamplingOptions.defaults().withTemperature(0));
    assertEquals(70, greedy.sample(logits, allowed));
    assertEquals(129, greedy.sample(logits, allowed, 129));
    Sampler hot = new Sampler(options(1000, 0, 1).sampling());
    for (int i = 0; i < 200; i++) {
      int token = hot.sample(logits, allowed);
      assertTrue(token == 5 || token == 70, "token " + token);
    }
  }

  @Test
  void whatLeavesNoTokenIsNamed() {
    float[] logits = {1, 2, Float.NaN, 4};
    Map<Integer, Float> bans =
        Map.of(0, Float.NEGATIVE_INFINITY, 1, Float.NEGATIVE_INFINITY, 3, Float.NEGATIVE_INFINITY);
    SamplingOptions banned = SamplingOptions.defaults().withPenalties(2, 0, 0).withLogitBias(bans);
    assertNoneLeft("the logit bias bans all 4", () -> new Sampler(banned).sample(logits));
    long[] first = {1};
    assertNoneLeft(
        "bans all 1 that there are by the constraint",
        () -> new Sampler(banned).sample(logits, first));
    Sampler plain = new Sampler(SamplingOptions.defaults());
    assertNoneLeft("allows none of 4", () -> plain.sample(logits, new long[3]));
    assertNoneLeft("allows none of 4", () -> new Sampler(banned).sample(logits, new long[3]));
    float[] damaged = {Float.NaN, 2, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY};
    assertThrows(NonFiniteLogitsException.class, () -> plain.sample(damaged, first));
    assertThrows(NonFiniteLogitsException.class, () -> plain.sample(damaged, new long[] {8}, 2));
    assertThrows(NonFiniteLogitsException.class, () -> new Sampler(banned).sample(damaged, first));
  }

  private static void assertNoneLeft(String said, Executable call) {
    String message = assertThrows(NoTokenLeftException.class, call).getMessage();
    assertTrue(message.contains(said), message);
  }

  private static void assertNamed(String option, Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(message.startsWith(option + ": expected"), message);
  }
}
