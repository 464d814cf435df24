package dev.gdn.model.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.error.CheckpointException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantizationReaderTest {
  private static final String PUBLISHED =
      """
      {"quantization_config": {
        "activation_scheme": "dynamic", "fmt": "e4m3", "quant_method": "fp8",
        "modules_to_not_convert": ["lm_head", "model.layers.0.linear_attn.in_proj_a"],
        "weight_block_size": [128, 64]}}\
      """;

  @TempDir Path folder;

  private Path write(String json) throws IOException {
    return Files.writeString(folder.resolve("config.json"), json);
  }

  @Test
  void blocksAreReadFromWhereTheyMayStand() throws IOException {
    Optional<BlockScaling> expected = Optional.of(new BlockScaling(128, 64));
    assertEquals(expected, QuantizationReader.read(write(PUBLISHED)));
    Path nested = write("{\"text_config\": %s}".formatted(PUBLISHED));
    assertEquals(expected, QuantizationReader.read(nested));
    assertEquals(Optional.empty(), QuantizationReader.read(write("{}")));
    assertEquals(
        Optional.empty(), QuantizationReader.read(write("{\"quantization_config\": null}")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"fp8\" | \"awq\" | quant_method | expected \"fp8\", the one supported, found \"awq\"",
        "\"e4m3\" | \"e5m2\" | fmt | expected \"e4m3\", the one supported, found \"e5m2\"",
        "\"dynamic\" | \"static\" | activation_scheme | expected \"dynamic\"",
        "[128, 64] | null | weight_block_size | the rows and columns of a block, found null",
        "[128, 64] | [128] | weight_block_size | the rows and columns of a block, found [128]",
        "[128, 64] | [128, 0] | weight_block_size[1] | expected a whole number from 1 to 65536"
      })
  void anotherWayOfQuantisingIsNamed(String part, String other, String key, String problem)
      throws IOException {
    Path config = write(PUBLISHED.replace(part, other));
    CheckpointException refusal =
        assertThrows(CheckpointException.class, () -> QuantizationReader.read(config));
    assertEquals(config, refusal.file());
    assertEquals("quantization_config." + key, refusal.subject());
    assertTrue(refusal.getMessage().contains(problem), refusal.getMessage());
  }
}
