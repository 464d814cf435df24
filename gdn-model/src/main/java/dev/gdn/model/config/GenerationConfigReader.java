package dev.gdn.model.config;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

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
        Files.exists(generationJson)
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
      return new GenerationConfig(
          endTokens,
          Optional.empty(),
          OptionalDouble.empty(),
          OptionalInt.empty(),
          OptionalDouble.empty());
    }
    JsonObject values = generation.get();
    OptionalDouble temperature = values.number("temperature");
    if (temperature.orElse(0) < 0 || temperature.orElse(0) > Float.MAX_VALUE) {
      throw values.mismatch("temperature", "a number of at least 0");
    }
    OptionalDouble topP = values.number("top_p");
    if (topP.orElse(1) < Float.MIN_NORMAL || topP.orElse(1) > 1) {
      throw values.mismatch("top_p", "a number over 0 and at most 1");
    }
    return new GenerationConfig(
        endTokens,
        values.flag("do_sample"),
        temperature,
        values.integer("top_k", 0, Integer.MAX_VALUE),
        topP);
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
