package dev.gdn.model.generation;

import java.util.OptionalLong;

/**
 * How tokens are chosen. Filters apply in this order: temperature, top-k, top-p.
 *
 * @param maxTokens the most tokens to generate, at least 0
 * @param temperature divides the logits; 0 takes the likeliest token (greedy)
 * @param topK how many of the likeliest tokens stay; 0 for all
 * @param topP the likeliest tokens that together reach this probability stay; over 0, at most 1
 * @param seed makes a run repeatable; empty for a new one each time
 */
public record GenerationOptions(
    int maxTokens, float temperature, int topK, float topP, OptionalLong seed) {
  /**
   * @throws IllegalArgumentException naming the option that is out of range
   */
  public GenerationOptions {
    require(maxTokens >= 0, "max tokens", "at least 0", maxTokens);
    require(
        temperature >= 0 && temperature < Float.POSITIVE_INFINITY,
        "temperature",
        "a number of at least 0",
        temperature);
    require(topK >= 0, "top-k", "at least 0", topK);
    require(topP > 0 && topP <= 1, "top-p", "over 0 and at most 1", topP);
  }

  private static void require(boolean holds, String option, String expected, Object found) {
    if (!holds) {
      throw new IllegalArgumentException(
          "%s: expected %s, found %s".formatted(option, expected, found));
    }
  }

  /** 256 tokens, temperature 0.8, top-k 40, top-p 0.95, no seed. */
  public static GenerationOptions defaults() {
    return new GenerationOptions(256, 0.8f, 40, 0.95f, OptionalLong.empty());
  }

  /** 256 tokens, always the likeliest. */
  public static GenerationOptions greedy() {
    return defaults().withTemperature(0);
  }

  /** The same with this limit. */
  public GenerationOptions withMaxTokens(int maxTokens) {
    return new GenerationOptions(maxTokens, temperature, topK, topP, seed);
  }

  /** The same with this temperature. */
  public GenerationOptions withTemperature(float temperature) {
    return new GenerationOptions(maxTokens, temperature, topK, topP, seed);
  }

  /** The same with this top-k. */
  public GenerationOptions withTopK(int topK) {
    return new GenerationOptions(maxTokens, temperature, topK, topP, seed);
  }

  /** The same with this top-p. */
  public GenerationOptions withTopP(float topP) {
    return new GenerationOptions(maxTokens, temperature, topK, topP, seed);
  }

  /** The same with this seed. */
  public GenerationOptions withSeed(long seed) {
    return new GenerationOptions(maxTokens, temperature, topK, topP, OptionalLong.of(seed));
  }
}
