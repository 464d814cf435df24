package dev.gdn.model.generation;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a text is generated. Immutable.
 *
 * @param maxTokens the most tokens to generate, at least 0; thoughts count
 * @param sampling how tokens are chosen
 * @param stopStrings texts that end the generation and are no part of its text; none empty
 * @param logProbabilities how many of the likeliest tokens, with their log-probabilities, to report
 *     for each place beside the chosen one, 0 to {@value #MOST_ALTERNATIVES}; empty for no report
 * @param thinkingBudget the most tokens of a thought, at least 0: a thought that is longer is ended
 *     by {@code </think>}; empty for no limit
 * @param constraint what the text, behind a thought that the prompt opens, has to look like
 */
public record GenerationOptions(
    int maxTokens,
    SamplingOptions sampling,
    List<String> stopStrings,
    OptionalInt logProbabilities,
    OptionalInt thinkingBudget,
    Optional<Constraint> constraint) {
  /** The most alternatives that are reported for a token. */
  public static final int MOST_ALTERNATIVES = 100;

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException naming the option that is out of range
   */
  public GenerationOptions {
    Objects.requireNonNull(sampling, "sampling");
    Objects.requireNonNull(stopStrings, "stop strings");
    stopStrings.forEach(text -> Require.that(text != null, "stop strings", "texts", "null"));
    stopStrings = List.copyOf(stopStrings);
    Require.that(maxTokens >= 0, "max tokens", "at least 0", maxTokens);
    Require.that(!stopStrings.contains(""), "stop strings", "no empty text", "one");
    logProbabilities.ifPresent(
        count ->
            Require.that(
                count >= 0 && count <= MOST_ALTERNATIVES,
                "log-probabilities",
                "from 0 to " + MOST_ALTERNATIVES,
                count));
    thinkingBudget.ifPresent(
        tokens -> Require.that(tokens >= 0, "thinking budget", "at least 0", tokens));
  }

  /** 256 tokens, chosen by {@link SamplingOptions#defaults()}. */
  public static GenerationOptions defaults() {
    return new GenerationOptions(
        256,
        SamplingOptions.defaults(),
        List.of(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty());
  }

  /** 256 tokens, always the likeliest. */
  public static GenerationOptions greedy() {
    return defaults().withTemperature(0);
  }

  /** The same with this limit. */
  public GenerationOptions withMaxTokens(int maxTokens) {
    return new GenerationOptions(
        maxTokens, sampling, stopStrings, logProbabilities, thinkingBudget, constraint);
  }

  /** The same with this sampling. */
  public GenerationOptions withSampling(SamplingOptions sampling) {
    return new GenerationOptions(
        maxTokens, sampling, stopStrings, logProbabilities, thinkingBudget, constraint);
  }

  /** The same with this temperature. */
  public GenerationOptions withTemperature(float temperature) {
    return withSampling(sampling.withTemperature(temperature));
  }

  /** The same with this top-k. */
  public GenerationOptions withTopK(int topK) {
    return withSampling(sampling.withFilters(topK, sampling.topP(), sampling.minP()));
  }

  /** The same with this top-p. */
  public GenerationOptions withTopP(float topP) {
    return withSampling(sampling.withFilters(sampling.topK(), topP, sampling.minP()));
  }

  /** The same with this min-p. */
  public GenerationOptions withMinP(float minP) {
    return withSampling(sampling.withFilters(sampling.topK(), sampling.topP(), minP));
  }

  /** The same with these penalties. */
  public GenerationOptions withPenalties(float repetition, float presence, float frequency) {
    return withSampling(sampling.withPenalties(repetition, presence, frequency));
  }

  /** The same with this logit bias. */
  public GenerationOptions withLogitBias(Map<Integer, Float> bias) {
    return withSampling(sampling.withLogitBias(bias));
  }

  /** The same with this seed. */
  public GenerationOptions withSeed(long seed) {
    return withSampling(sampling.withSeed(seed));
  }

  /** The same with these stop strings. */
  public GenerationOptions withStopStrings(String... texts) {
    return new GenerationOptions(
        maxTokens, sampling, Arrays.asList(texts), logProbabilities, thinkingBudget, constraint);
  }

  /** The same with log-probabilities of each token and of so many alternatives. */
  public GenerationOptions withLogProbabilities(int alternatives) {
    return new GenerationOptions(
        maxTokens, sampling, stopStrings, OptionalInt.of(alternatives), thinkingBudget, constraint);
  }

  /** The same with this budget for a thought. */
  public GenerationOptions withThinkingBudget(int tokens) {
    return new GenerationOptions(
        maxTokens, sampling, stopStrings, logProbabilities, OptionalInt.of(tokens), constraint);
  }

  /** The same with this constraint. */
  public GenerationOptions withConstraint(Constraint constraint) {
    return new GenerationOptions(
        maxTokens,
        sampling,
        stopStrings,
        logProbabilities,
        thinkingBudget,
        Optional.of(Objects.requireNonNull(constraint, "constraint")));
  }
}
