package dev.gdn.model.generation;

import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * How the next token is chosen. The steps and their order are those of transformers' {@code
 * generate}: logit bias, penalties, temperature, top-k, top-p, min-p, and a draw from what is left.
 * (llama.cpp applies the temperature last by default, so that its filters see the probabilities at
 * temperature 1.) Immutable.
 *
 * @param temperature divides the logits; 0 takes the likeliest token (greedy)
 * @param topK how many of the likeliest tokens stay; 0 for all
 * @param topP the likeliest tokens that together reach this probability stay, of what top-k leaves;
 *     over 0, at most 1
 * @param minP tokens that are at least this times as likely as the likeliest stay; 0 for all, at
 *     most 1
 * @param repetitionPenalty divides positive logits, and multiplies negative ones, of every token
 *     that stands in the prompt or was generated, as in transformers; from {@value
 *     #LEAST_REPETITION_PENALTY} to {@value #MOST_REPETITION_PENALTY}, where 1 is none
 * @param presencePenalty taken off the logit of every token that was generated, as OpenAI's API
 *     defines it; at most {@value #MOST_PENALTY} in magnitude, where 0 is none
 * @param frequencyPenalty taken off for each time the token was generated; at most {@value
 *     #MOST_PENALTY} in magnitude, where 0 is none
 * @param logitBias added to the logits of these ids; at most {@value #MOST_BIAS} in magnitude, or
 *     negative infinity, which bans a token
 * @param seed makes a run repeatable; empty for a new one each time
 */
public record SamplingOptions(
    float temperature,
    int topK,
    float topP,
    float minP,
    float repetitionPenalty,
    float presencePenalty,
    float frequencyPenalty,
    Map<Integer, Float> logitBias,
    OptionalLong seed) {
  /** The least repetition penalty. */
  public static final float LEAST_REPETITION_PENALTY = 0.01f;

  /** The largest repetition penalty. */
  public static final float MOST_REPETITION_PENALTY = 100;

  /** The largest presence and frequency penalty. */
  public static final float MOST_PENALTY = 100;

  /** The largest bias: with larger ones the logits themselves would be rounded away. */
  public static final float MOST_BIAS = 1e6f;

  /**
   * Copies the map.
   *
   * @throws IllegalArgumentException naming the option that is out of range
   */
  public SamplingOptions {
    Objects.requireNonNull(logitBias, "logit bias");
    logitBias.forEach(
        (id, bias) -> {
          Require.that(id != null, "logit bias", "ids", "null");
          Require.that(bias != null, "logit bias of " + id, "a number", "null");
        });
    logitBias = Map.copyOf(logitBias);
    Require.that(
        temperature >= 0 && temperature < Float.POSITIVE_INFINITY,
        "temperature",
        "a number of at least 0",
        temperature);
    Require.that(topK >= 0, "top-k", "at least 0", topK);
    Require.that(topP > 0 && topP <= 1, "top-p", "over 0 and at most 1", topP);
    Require.that(minP >= 0 && minP <= 1, "min-p", "from 0 to 1", minP);
    Require.within(
        LEAST_REPETITION_PENALTY, MOST_REPETITION_PENALTY, "repetition penalty", repetitionPenalty);
    Require.within(-MOST_PENALTY, MOST_PENALTY, "presence penalty", presencePenalty);
    Require.within(-MOST_PENALTY, MOST_PENALTY, "frequency penalty", frequencyPenalty);
    logitBias.forEach(
        (id, bias) -> {
          Require.that(id >= 0, "logit bias", "an id of at least 0", id);
          Require.that(
              Math.abs(bias) <= MOST_BIAS || bias == Float.NEGATIVE_INFINITY,
              "logit bias of " + id,
              "a number from -1e6 to 1e6, or -Infinity",
              bias);
        });
  }

  /** Temperature 0.8, top-k 40, top-p 0.95, no min-p, penalties or bias, no seed. */
  public static SamplingOptions defaults() {
    return new SamplingOptions(0.8f, 40, 0.95f, 0, 1, 0, 0, Map.of(), OptionalLong.empty());
  }

  /** The same with this temperature. */
  public SamplingOptions withTemperature(float temperature) {
    return new SamplingOptions(
        temperature,
        topK,
        topP,
        minP,
        repetitionPenalty,
        presencePenalty,
        frequencyPenalty,
        logitBias,
        seed);
  }

  /** The same with these filters. */
  public SamplingOptions withFilters(int topK, float topP, float minP) {
    return new SamplingOptions(
        temperature,
        topK,
        topP,
        minP,
        repetitionPenalty,
        presencePenalty,
        frequencyPenalty,
        logitBias,
        seed);
  }

  /** The same with these penalties. */
  public SamplingOptions withPenalties(float repetition, float presence, float frequency) {
    return new SamplingOptions(
        temperature, topK, topP, minP, repetition, presence, frequency, logitBias, seed);
  }

  /** The same with this bias. */
  public SamplingOptions withLogitBias(Map<Integer, Float> bias) {
    return new SamplingOptions(
        temperature,
        topK,
        topP,
        minP,
        repetitionPenalty,
        presencePenalty,
        frequencyPenalty,
        bias,
        seed);
  }

  /** The same with this seed. */
  public SamplingOptions withSeed(long seed) {
    return new SamplingOptions(
        temperature,
        topK,
        topP,
        minP,
        repetitionPenalty,
        presencePenalty,
        frequencyPenalty,
        logitBias,
        OptionalLong.of(seed));
  }

  /** Whether logits are changed before the temperature. */
  boolean adjustsLogits() {
    return penalizes() || !logitBias.isEmpty();
  }

  /** Whether tokens that came before matter. */
  boolean penalizes() {
    return repetitionPenalty != 1 || presencePenalty != 0 || frequencyPenalty != 0;
  }
}
