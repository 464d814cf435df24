package dev.gdn.cli;

import dev.gdn.model.LanguageModel;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.SamplingOptions;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How text is generated. What is not given is as the checkpoint suggests, or the library's own. */
final class SamplingFlags {
  private static final String LOGIT_BIAS = "--logit-bias";

  @Option(names = "--greedy", description = "Always take the likeliest token.")
  private boolean greedy;

  @Option(
      names = {"-n", "--max-tokens"},
      paramLabel = "N",
      description = "Most tokens to generate; 256 if none.")
  private Integer maxTokens;

  @Option(
      names = "--temperature",
      paramLabel = "T",
      description = "Divides the logits; 0: greedy. The checkpoint's own if none, else 0.8.")
  private Float temperature;

  @Option(
      names = "--top-k",
      paramLabel = "N",
      description = "Likeliest tokens to keep; 0: all. The checkpoint's own if none, else 40.")
  private Integer topK;

  @Option(
      names = "--top-p",
      paramLabel = "P",
      description = "Probability to keep, over 0 to 1. The checkpoint's own if none, else 0.95.")
  private Float topP;

  @Option(
      names = "--min-p",
      paramLabel = "P",
      description =
          "Keep tokens at least this times as likely as the likeliest. The checkpoint's own if"
              + " none, else 0.")
  private Float minP;

  @Option(
      names = "--repetition-penalty",
      paramLabel = "R",
      description =
          "Divides logits of tokens that came before, the prompt's included; 0.01 to 100. The"
              + " checkpoint's own if none, else 1.")
  private Float repetitionPenalty;

  @Option(
      names = "--presence-penalty",
      paramLabel = "A",
      description = "Taken off logits of tokens that were generated; -100 to 100, 0 if none.")
  private Float presencePenalty;

  @Option(
      names = "--frequency-penalty",
      paramLabel = "A",
      description = "Taken off for each time a token was generated; -100 to 100, 0 if none.")
  private Float frequencyPenalty;

  @Option(
      names = LOGIT_BIAS,
      paramLabel = "ID=BIAS",
      converter = Assignment.Converter.class,
      description =
          "Added to a token's logit; -1e6 to 1e6, or -Infinity, which bans it. May be repeated.")
  private List<Assignment> logitBias = List.of();

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Makes a run repeatable; random if none.")
  private Long seed;

  @Option(
      names = "--stop",
      paramLabel = "TEXT",
      description = "Ends the generation where this text would come. May be repeated.")
  private List<String> stopStrings = List.of();

  @Option(
      names = "--thinking-budget",
      paramLabel = "N",
      description = "Most tokens of a thought, which is then ended; no limit if none.")
  private Integer thinkingBudget;

  /** The model's suggestions, with what was given. */
  GenerationOptions options(LanguageModel model) {
    if (greedy && temperature != null && temperature != 0) {
      throw new InputException(
          "--greedy and --temperature %s contradict each other; give one".formatted(temperature));
    }
    GenerationOptions options = model.defaultOptions().withStopStrings(stopTexts());
    if (maxTokens != null) {
      options = options.withMaxTokens(maxTokens);
    }
    if (thinkingBudget != null) {
      options = options.withThinkingBudget(thinkingBudget);
    }
    return options.withSampling(sampling(options.sampling()));
  }

  private String[] stopTexts() {
    return stopStrings.toArray(String[]::new);
  }

  private SamplingOptions sampling(SamplingOptions suggested) {
    SamplingOptions sampling =
        suggested
            .withTemperature(greedy ? 0 : given(temperature, suggested.temperature()))
            .withFilters(
                given(topK, suggested.topK()),
                given(topP, suggested.topP()),
                given(minP, suggested.minP()))
            .withPenalties(
                given(repetitionPenalty, suggested.repetitionPenalty()),
                given(presencePenalty, suggested.presencePenalty()),
                given(frequencyPenalty, suggested.frequencyPenalty()))
            .withLogitBias(
                Assignment.all(LOGIT_BIAS, logitBias, SamplingFlags::id, SamplingFlags::bias));
    return seed == null ? sampling : sampling.withSeed(seed);
  }

  private static Integer id(String text) {
    int[] ids = TokenIds.parse(LOGIT_BIAS, text);
    if (ids.length > 1) {
      throw new InputException("%s: expected one token id, found %s".formatted(LOGIT_BIAS, text));
    }
    return ids[0];
  }

  private static Float bias(String text) {
    try {
      return Float.valueOf(text);
    } catch (NumberFormatException e) {
      throw new InputException(
          "%s: expected a number as bias, found %s".formatted(LOGIT_BIAS, text), e);
    }
  }

  private static <T> T given(T value, T suggested) {
    return Optional.ofNullable(value).orElse(suggested);
  }
}
