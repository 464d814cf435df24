package dev.gdn.model.config;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.file.FileKind;
import dev.gdn.model.generation.SamplingOptions;
import dev.gdn.model.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Reads the {@code generation_config.json} of a hub folder, which may be missing. The ids that end
 * a text are taken from {@code config.json} if it does not say them.
 */
public final class GenerationConfigReader {
  private static final String END_TOKENS = "eos_token_id";

  private GenerationConfigReader() {}

  /**
   * Reads a folder's recommendations.
   *
   * @throws CheckpointException if a file is not valid JSON or a value is out of its range
   */
  public static GenerationConfig read(Path generationJson, Path configJson) {
    Optional<JsonObject> generation =
        FileKind.isThere(generationJson)
            ? Optional.of(JsonObject.read(generationJson))
            : Optional.empty();
    JsonObject config = JsonObject.read(configJson);
    List<Integer> endTokens =
        generation
            .flatMap(GenerationConfigReader::endTokens)
            .or(() -> endTokens(config))
            .or(() -> config.object("text_config").flatMap(GenerationConfigReader::endTokens))
            .orElse(List.of());
    if (generation.isEmpty()) {
      return GenerationConfig.of(endTokens);
    }
    JsonObject values = generation.get();
    return new GenerationConfig(
        endTokens,
        values.flag("do_sample"),
        number(values, "temperature", 0, Float.MAX_VALUE, "a number of at least 0"),
        values.integer("top_k", 0, Integer.MAX_VALUE),
        number(values, "top_p", Float.MIN_NORMAL, 1, "a number over 0 and at most 1"),
        number(values, "min_p", 0, 1, "a number from 0 to 1"),
        number(
            values,
            "repetition_penalty",
            SamplingOptions.LEAST_REPETITION_PENALTY,
            SamplingOptions.MOST_REPETITION_PENALTY,
            "a number from 0.01 to 100"));
  }

  private static OptionalDouble number(
      JsonObject values, String key, double least, double most, String expected) {
    OptionalDouble number = values.number(key);
    if (number.isPresent() && !(number.getAsDouble() >= least && number.getAsDouble() <= most)) {
      throw values.mismatch(key, expected);
    }
    return number;
  }

  private static Optional<List<Integer>> endTokens(JsonObject source) {
    if (!source.has(END_TOKENS)) {
      return Optional.empty();
    }
    return source.isList(END_TOKENS)
        ? source.integers(END_TOKENS, 0, Integer.MAX_VALUE)
        : Optional.of(List.of(source.requireInteger(END_TOKENS, 0, Integer.MAX_VALUE)));
  }
}
