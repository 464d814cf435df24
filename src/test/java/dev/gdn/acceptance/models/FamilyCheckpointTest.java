package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.convert.HubToGguf;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.safetensors.SafetensorsFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checkpoints of the models beside Qwen3.5 and Qwen3-Next that are damaged, or laid out anew. */
class FamilyCheckpointTest {
  private static final String TABLE = "model.layers.1.ple.ple_embedding.ngram_embedding.shard_%d";

  @TempDir Path folder;

  private static Path fixture(String model) {
    return Path.of("resources/fixtures/models", model);
  }

  private String refusal(HubCopy copy) throws IOException {
    Path written = copy.write(folder);
    return assertThrows(CheckpointException.class, () -> LanguageModel.open(written)).getMessage();
  }

  @ParameterizedTest
  @CsvSource({
    "olmo_hybrid, model.layers.0.linear_attn.q_proj.weight",
    "olmo_hybrid, model.layers.0.linear_attn.k_conv1d.weight",
    "olmo_hybrid, model.layers.0.linear_attn.o_norm.weight",
    "olmo_hybrid, model.layers.0.attention_layer_norm.weight",
    "olmo_hybrid, model.layers.3.self_attn.q_norm.weight",
    "olmo_hybrid, model.layers.3.post_feedforward_layernorm.weight",
    "kimi_linear, model.layers.0.self_attn.A_log",
    "kimi_linear, model.layers.0.self_attn.f_b_proj.weight",
    "kimi_linear, model.layers.1.block_sparse_moe.gate.e_score_correction_bias",
    "kimi_linear, model.layers.1.block_sparse_moe.experts.7.w3.weight",
    "kimi_linear, model.layers.1.block_sparse_moe.shared_experts.up_proj.weight",
    "kimi_linear, model.layers.3.self_attn.kv_b_proj.weight",
    "qwen4_exp, model.layers.0.attn_hyper_connection.block_inject_weight.weight",
    "qwen4_exp, model.layers.1.ple.norm_conv.weight",
    "qwen4_exp, model.layers.3.self_attn.indexer.index_qk_proj.weight",
    "qwen4_exp, model.hyper_connection_mixer.hc_norm.weight",
  })
  void aTensorThatIsMissingIsNamedAsStored(String model, String tensor) throws IOException {
    String message = refusal(new HubCopy(fixture(model)).remove(tensor));
    assertTrue(message.contains("tensor " + tensor + ": missing, expected shape"), message);
  }

  @ParameterizedTest
  @ValueSource(ints = {513, 515})
  void tablesOfNgramsOfAnotherSize(int rows) throws IOException {
    HubCopy copy = new HubCopy(fixture("qwen4_exp"));
    String last = TABLE.formatted(3) + ".weight";
    String message = refusal(copy.put(last, new Shape(rows, 8), new float[rows * 8]));
    int found = 3 * 514 + rows;
    assertTrue(message.contains("of 2056 rows in 4 parts, found " + found), message);
  }

  /** What follows from the configuration, and is stored all the same. */
  @ParameterizedTest
  @ValueSource(strings = {"layer_multipliers", "ngram_heads_vocab_sizes", "ngram_heads_offsets"})
  void hashesThatContradictTheConfiguration(String stored) throws IOException {
    String tensor = "model.layers.1.ple.ple_embedding." + stored;
    Path source = fixture("qwen4_exp");
    try (Stream<Path> files = Files.list(source)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    }
    Path weights = folder.resolve("model.safetensors");
    byte[] bytes = Files.readAllBytes(weights);
    ByteBuffer whole = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int data = 8 + (int) whole.getLong(0);
    JsonNode header = new ObjectMapper().readTree(bytes, 8, data - 8);
    int last = data + header.get(tensor).get("data_offsets").get(1).asInt() - Long.BYTES;
    whole.putLong(last, whole.getLong(last) + 2);
    Files.write(weights, bytes);
    String message =
        assertThrows(CheckpointException.class, () -> LanguageModel.open(folder)).getMessage();
    String expected = "tensor " + tensor.substring("model.".length()) + ": expected [";
    assertTrue(message.contains(expected), message);
    assertTrue(message.contains("as the configuration says, found ["), message);
  }

  @Test
  void aTableOfNgramsIsMissing() throws IOException {
    HubCopy copy = new HubCopy(fixture("qwen4_exp")).remove(TABLE.formatted(2) + ".weight");
    String message = refusal(copy);
    assertTrue(message.contains("shard_2.weight: missing, expected shape [514, 8]"), message);
  }

  @Test
  void aBiasOfExpertsThatIsNoNumber() throws IOException {
    float[] bias = new float[8];
    bias[5] = Float.NaN;
    String name = "model.layers.1.block_sparse_moe.gate.e_score_correction_bias";
    String message = refusal(new HubCopy(fixture("kimi_linear")).put(name, new Shape(8), bias));
    assertTrue(message.contains("expected finite numbers, found NaN for expert 5"), message);
  }

  /** As published, convolutions are cut where queries, keys and values are. */
  @Test
  void convolutionsOfQueriesKeysAndValues() throws IOException {
    HubCopy copy = new HubCopy(fixture("olmo_hybrid"));
    for (int layer : new int[] {0, 1, 2}) {
      String prefix = "model.layers." + layer + ".linear_attn.";
      List<String> parts =
          List.of(
              prefix + "q_conv1d.weight", prefix + "k_conv1d.weight", prefix + "v_conv1d.weight");
      copy.join("all", new Shape(192, 1, 4), parts.toArray(String[]::new));
      int row = 0;
      for (String part : parts) {
        int channels = part.contains("v_conv1d") ? 96 : 48;
        float[] values = new float[channels * 4];
        System.arraycopy(copy.values("all"), row * 4, values, 0, values.length);
        copy.put(part, new Shape(channels, 1, 4), values);
        row += channels;
      }
      copy.remove("all");
    }
    assertLogits("olmo_hybrid", copy.write(folder));
  }

  /** As published, the norms of attention layers have their own names, and dense layers theirs. */
  @ParameterizedTest
  @CsvSource({
    "olmo_hybrid, layers.3.feedforward_layer_norm, layers.3.post_attention_layernorm",
    "kimi_linear, layers.0.block_sparse_moe, layers.0.mlp",
    "qwen4_exp, model., model.language_model.",
  })
  void otherNames(String model, String part, String other) throws IOException {
    HubCopy copy = new HubCopy(fixture(model)).rename(name -> name.replace(part, other));
    assertLogits(model, copy.write(folder));
  }

  @ParameterizedTest
  @ValueSource(strings = {"olmo_hybrid", "kimi_linear", "qwen4_exp"})
  void conversionIsRefusedByName(String model) {
    Path file = folder.resolve("model.gguf");
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                HubToGguf.convert(
                    fixture(model), FileType.F32, file, Workers.shared(), (bytes, total) -> {}));
    String message = refusal.getMessage();
    assertTrue(message.endsWith("found " + model.toUpperCase(Locale.ROOT)), message);
    assertFalse(Files.exists(file));
  }

  private static void assertLogits(String model, Path checkpoint) {
    try (LanguageModel opened = LanguageModel.open(checkpoint);
        SafetensorsFile expected =
            SafetensorsFile.open(fixture(model).resolve("expected.safetensors"))) {
      int id = Math.toIntExact(expected.tensors().get("ids_1").toLongs()[0]);
      float[] logits = expected.tensors().get("logits_1").toFloats();
      float[] found = opened.newSession().prefill(id);
      for (int i = 0; i < logits.length; i++) {
        assertEquals(logits[i], found[i], 3e-4);
      }
    }
  }
}
