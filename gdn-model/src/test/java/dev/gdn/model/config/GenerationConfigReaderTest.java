package dev.gdn.model.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.error.CheckpointException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GenerationConfigReaderTest {
  @TempDir Path folder;

  private GenerationConfig read(String generation, String config) throws IOException {
    Path generationFile = folder.resolve("generation_config.json");
    if (generation != null) {
      Files.writeString(generationFile, generation);
    }
    return GenerationConfigReader.read(
        generationFile, Files.writeString(folder.resolve("config.json"), config));
  }

  @Test
  void everythingThatIsSaid() throws IOException {
    assertEquals(
        new GenerationConfig(
            List.of(7, 9),
            Optional.of(true),
            OptionalDouble.of(0.6),
            OptionalInt.of(20),
            OptionalDouble.of(1),
            OptionalDouble.of(0.05),
            OptionalDouble.of(1.1)),
        read(
            """
            {"eos_token_id": [7, 9], "do_sample": true, "temperature": 0.6, "top_k": 20,
             "top_p": 1, "min_p": 0.05, "repetition_penalty": 1.1, "use_cache": true}
            """,
            "{\"eos_token_id\": 1}"));
  }

  @Test
  void endTokensOfTheModelIfTheRecommendationsHaveNone() throws IOException {
    GenerationConfig none = GenerationConfig.of(List.of(3));
    assertEquals(none, read(null, "{\"eos_token_id\": 3}"));
    assertEquals(
        none, read(null, "{\"eos_token_id\": null, \"text_config\": {\"eos_token_id\": [3]}}"));
    assertEquals(none, read("{\"top_k\": null}", "{\"eos_token_id\": 3}"));
    assertEquals(List.of(), read("{}", "{}").endTokens());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "eos_token_id | \"x\" | eos_token_id",
        "eos_token_id | -1 | eos_token_id",
        "eos_token_id | [1, 2.5] | eos_token_id[1]",
        "do_sample | 1 | do_sample",
        "temperature | -0.1 | temperature",
        "temperature | \"hot\" | temperature",
        "top_k | -1 | top_k",
        "top_p | 0 | top_p",
        "top_p | 1.01 | top_p",
        "min_p | -0.01 | min_p",
        "min_p | 1.01 | min_p",
        "repetition_penalty | 0 | repetition_penalty",
        "repetition_penalty | 1e-38 | repetition_penalty",
        "repetition_penalty | 100.1 | repetition_penalty",
      })
  void whatIsOutOfRangeIsNamed(String key, String value, String subject) {
    CheckpointException refusal =
        assertThrows(
            CheckpointException.class, () -> read("{\"" + key + "\":" + value + "}", "{}"));
    assertEquals(subject, refusal.subject());
    assertTrue(refusal.getMessage().contains("generation_config.json"), refusal.getMessage());
  }
}
