package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.error.CheckpointException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A checkpoint that was damaged, or whose files do not belong together, is refused by name. */
class DamagedCheckpointTest {
  private static final Path WHOLE = Path.of("resources/fixtures/models/qwen3_5_multimodal");

  @TempDir Path folder;
  private Path config;
  private Path weights;

  @BeforeEach
  void copy() throws IOException {
    config = Files.copy(WHOLE.resolve("config.json"), folder.resolve("config.json"));
    weights = Files.copy(WHOLE.resolve("model.safetensors"), folder.resolve("model.safetensors"));
  }

  private void changeTextConfig(Consumer<ObjectNode> change) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode root = (ObjectNode) mapper.readTree(config.toFile());
    change.accept((ObjectNode) root.get("text_config"));
    mapper.writeValue(config.toFile(), root);
  }

  private void assertRefused(Path file, String subject, String problem) {
    CheckpointException refusal =
        assertThrows(CheckpointException.class, () -> LanguageModel.open(folder).close());
    assertEquals(file + ": " + subject + ": " + problem, refusal.getMessage());
  }

  @Test
  void flippedBitsOfTheHeader() throws IOException {
    byte[] whole = Files.readAllBytes(weights);
    long header = 8 + ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getLong();
    Random random = new Random(20);
    int refusals = 0;
    for (int i = 0; i < 400; i++) {
      byte[] flipped = whole.clone();
      // Every bit of the header's length, then a sample of the header's own.
      long at = i < 64 ? i : 64 + random.nextLong(8 * header - 64);
      flipped[(int) (at / 8)] ^= (byte) (1 << at % 8);
      Files.write(weights, flipped);
      try {
        LanguageModel.open(folder).close();
      } catch (CheckpointException expected) {
        assertTrue(expected.file().startsWith(folder), expected.getMessage());
        refusals++;
      }
    }
    // What may pass unnoticed: a letter of the names that are passed over.
    assertTrue(refusals > 240, "refusals: " + refusals);
  }

  @Test
  void truncations() throws IOException {
    byte[] whole = Files.readAllBytes(weights);
    for (int length : new int[] {0, 7, 8, 9, 5000, 9992, 10_000, whole.length - 1}) {
      Files.write(weights, Arrays.copyOf(whole, length));
      CheckpointException refusal =
          assertThrows(CheckpointException.class, () -> LanguageModel.open(folder).close());
      assertEquals(weights, refusal.file());
    }
  }

  @Test
  void weightsOfAnotherSizeThanTheConfigurationSays() throws IOException {
    changeTextConfig(text -> text.put("intermediate_size", 128));
    assertRefused(
        weights,
        "tensor model.language_model.layers.0.mlp.gate_proj.weight",
        "expected shape [128, 64], found [96, 64]");
  }

  @Test
  void moreLayersThanThereAreWeights() throws IOException {
    changeTextConfig(
        text -> {
          text.put("num_hidden_layers", 5);
          text.withArray("layer_types").add("full_attention");
        });
    assertRefused(
        folder,
        "tensor model.language_model.layers.4.input_layernorm.weight",
        "missing, expected shape [64]");
  }

  @Test
  void fewerLayersThanThereAreWeights() throws IOException {
    changeTextConfig(
        text -> {
          text.put("num_hidden_layers", 3);
          text.withArray("layer_types").remove(3);
        });
    assertRefused(
        weights,
        "tensor model.language_model.layers.3.input_layernorm.weight",
        "unknown: a model of this configuration has no such tensor (and 10 more)");
  }

  @Test
  void aTokenizerOfALargerModel() throws IOException {
    Files.copy(DemoModel.extract().resolve("tokenizer.json"), folder.resolve("tokenizer.json"));
    try (LanguageModel model = LanguageModel.open(folder)) {
      CheckpointException refusal = assertThrows(CheckpointException.class, model::tokenizer);
      assertEquals(
          folder + ": tokenizer: expected ids below the model's vocabulary size 256, found 4034",
          refusal.getMessage());
    }
  }

  @Test
  void anUnknownModel() throws IOException {
    changeTextConfig(text -> text.put("model_type", "mamba"));
    assertRefused(config, "text_config.model_type", "expected qwen3_5_text, found \"mamba\"");
  }
}
