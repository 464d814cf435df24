package dev.gdn.model.config;

import static dev.gdn.model.config.LayerType.FULL_ATTENTION;
import static dev.gdn.model.config.LayerType.LINEAR_ATTENTION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gdn.model.error.CheckpointException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigReaderTest {
  private static final ModelConfig SAMPLE =
      new ModelConfig(
          Architecture.QWEN3_5,
          256,
          64,
          List.of(LINEAR_ATTENTION, FULL_ATTENTION, LINEAR_ATTENTION),
          1e-6,
          true,
          4096,
          new AttentionConfig(4, 2, 32, new RotaryConfig(8, 1e7, List.of(2, 1, 1))),
          new LinearAttentionConfig(2, 6, 16, 24, 4),
          Collections.nCopies(3, new DenseFeedForward(96)));

  @TempDir Path folder;

  private ModelConfig read(ObjectNode config) throws IOException {
    return ConfigReader.read(SampleConfig.write(folder, config));
  }

  private void assertRefused(ObjectNode config, String subject, String problem) throws IOException {
    Path file = SampleConfig.write(folder, config);
    CheckpointException refusal =
        assertThrows(CheckpointException.class, () -> ConfigReader.read(file));
    assertEquals(file, refusal.file());
    assertEquals(subject, refusal.subject());
    assertTrue(refusal.getMessage().contains(problem), refusal.getMessage());
  }

  @Test
  void theConfigurationOfATextModel() throws IOException {
    assertEquals(SAMPLE, read(SampleConfig.text()));
  }

  @Test
  void theTextModelInsideAMultimodalOne() throws IOException {
    assertEquals(SAMPLE, read(SampleConfig.multimodal()));
  }

  @ParameterizedTest
  @CsvSource({
    "true, false, true",
    "false, true, false",
    ", true, true",
    "true, , true",
    ", , false"
  })
  void theHeadOfAMultimodalModelFollowsTheOuterKey(String outer, String inner, boolean tied)
      throws IOException {
    ObjectNode config = SampleConfig.multimodal();
    SampleConfig.with(config, "tie_word_embeddings", outer);
    SampleConfig.with(config, "text_config.tie_word_embeddings", inner);
    assertEquals(tied, read(config).tiedEmbedding());
  }

  @Test
  void unknownKeysAreIgnored() throws IOException {
    ObjectNode config = SampleConfig.with(SampleConfig.text(), "some_new_key", "{\"a\": [1]}");
    assertEquals(SAMPLE, read(config));
  }

  @Test
  void anIntervalInsteadOfLayerTypes() throws IOException {
    ObjectNode config = SampleConfig.with(SampleConfig.text(), "layer_types", "");
    SampleConfig.with(config, "num_hidden_layers", "5");
    assertEquals(
        List.of(
            LINEAR_ATTENTION, LINEAR_ATTENTION, LINEAR_ATTENTION, FULL_ATTENTION, LINEAR_ATTENTION),
        read(config).layers());
    SampleConfig.with(config, "full_attention_interval", "2");
    assertEquals(
        List.of(
            LINEAR_ATTENTION, FULL_ATTENTION, LINEAR_ATTENTION, FULL_ATTENTION, LINEAR_ATTENTION),
        read(config).layers());
  }

  private static ObjectNode mixture(String type) {
    ObjectNode config = SampleConfig.text();
    SampleConfig.with(config, "model_type", "\"" + type + "\"");
    SampleConfig.with(config, "num_experts", "8");
    SampleConfig.with(config, "num_experts_per_tok", "2");
    SampleConfig.with(config, "moe_intermediate_size", "32");
    SampleConfig.with(config, "shared_expert_intermediate_size", "48");
    return config;
  }

  @Test
  void expertsInEveryLayer() throws IOException {
    MixtureOfExperts mixture = new MixtureOfExperts(8, 2, true, 32, 48);
    ObjectNode config = SampleConfig.with(mixture("qwen3_5_moe_text"), "intermediate_size", "");
    assertEquals(Architecture.QWEN3_5_MOE, read(config).architecture());
    assertEquals(Collections.nCopies(3, mixture), read(config).feedForwards());
    ObjectNode outer = SampleConfig.object("{\"model_type\": \"qwen3_5_moe\"}");
    outer.set("text_config", config);
    assertEquals(read(config), read(outer));
  }

  @Test
  void expertsInSomeLayers() throws IOException {
    MixtureOfExperts mixture = new MixtureOfExperts(8, 2, true, 32, 48);
    DenseFeedForward dense = new DenseFeedForward(96);
    ObjectNode config = mixture("qwen3_next");
    assertEquals(Architecture.QWEN3_NEXT, read(config).architecture());
    assertEquals(List.of(mixture, mixture, mixture), read(config).feedForwards());
    SampleConfig.with(config, "mlp_only_layers", "[2]");
    assertEquals(List.of(mixture, mixture, dense), read(config).feedForwards());
    SampleConfig.with(config, "decoder_sparse_step", "2");
    SampleConfig.with(config, "norm_topk_prob", "false");
    MixtureOfExperts unscaled = new MixtureOfExperts(8, 2, false, 32, 48);
    assertEquals(List.of(dense, unscaled, dense), read(config).feedForwards());
    SampleConfig.with(config, "num_experts", "0");
    assertEquals(List.of(dense, dense, dense), read(config).feedForwards());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "num_experts | | from 1 to 16384, found nothing",
        "num_experts | 1 | from 1 to 1, found 2",
        "num_experts | -1 | found -1",
        "num_experts | 100000 | found 100000",
        "num_experts_per_tok | 9 | from 1 to 8, found 9",
        "num_experts_per_tok | 0 | from 1 to 8, found 0",
        "moe_intermediate_size | | from 1 to 16777216, found nothing",
        "shared_expert_intermediate_size | 0 | found 0",
        "decoder_sparse_step | 0 | from 1 to 4096, found 0",
        "norm_topk_prob | 1 | expected true or false, found 1",
        "mlp_only_layers | [3] | from 0 to 2, found 3",
      })
  void whatIsWrongWithExpertsIsNamed(String key, String value, String problem) throws IOException {
    String subject =
        key.equals("num_experts") && value != null && value.equals("1")
            ? "num_experts_per_tok"
            : key.equals("mlp_only_layers") ? "mlp_only_layers[0]" : key;
    assertRefused(SampleConfig.with(mixture("qwen3_next"), key, value), subject, problem);
  }

  @Test
  void layerTypesAndAnIntervalThatAgree() throws IOException {
    assertEquals(
        SAMPLE, read(SampleConfig.with(SampleConfig.text(), "full_attention_interval", "2")));
  }

  @Test
  void theOlderRotaryKeys() throws IOException {
    ObjectNode config = SampleConfig.with(SampleConfig.text(), "rope_parameters", "");
    SampleConfig.with(config, "rope_theta", "10000.0");
    assertEquals(
        new RotaryConfig(8, 10000, List.of()),
        read(config).attention().rotary(),
        "a quarter of each head by default");
    SampleConfig.with(config, "partial_rotary_factor", "0.5");
    SampleConfig.with(config, "rope_scaling", "{\"type\":\"default\",\"mrope_section\":[3,3,2]}");
    assertEquals(new RotaryConfig(16, 10000, List.of(3, 3, 2)), read(config).attention().rotary());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "model_type | | qwen3_5_moe, qwen3_next, found nothing",
        "model_type | \"llama\" | qwen3_5_moe, qwen3_next, found \"llama\"",
        "model_type | 3 | expected a string, found 3",
        "vocab_size | | a whole number from 1 to 16777216, found nothing",
        "vocab_size | null | a whole number from 1 to 16777216, found null",
        "vocab_size | 0 | a whole number from 1 to 16777216, found 0",
        "hidden_size | -64 | found -64",
        "hidden_size | 64.5 | found 64.5",
        "hidden_size | \"64\" | found \"64\"",
        "hidden_size | 16777217 | found 16777217",
        "hidden_size | 4294967360 | found 4294967360",
        "hidden_size | 18446744073709551680 | found 18446744073709551680",
        "intermediate_size | true | found true",
        "num_hidden_layers | 1000000000 | from 1 to 4096, found 1000000000",
        "num_hidden_layers | 0 | from 1 to 4096, found 0",
        "head_dim | | found nothing",
        "head_dim | 100000 | found 100000",
        "num_attention_heads | 5 | expected a multiple of num_key_value_heads, 2, found 5",
        "num_key_value_heads | 0 | found 0",
        "linear_num_value_heads | 5 | expected a multiple of linear_num_key_heads, 2, found 5",
        "linear_num_value_heads | 5000 | from 1 to 4096, found 5000",
        "linear_conv_kernel_dim | 9 | from 2 to 8, found 9",
        "linear_conv_kernel_dim | 1 | from 2 to 8, found 1",
        "max_position_embeddings | | found nothing",
        "rms_norm_eps | | expected a number, found nothing",
        "rms_norm_eps | 0 | between 0 and 1, found 0",
        "rms_norm_eps | 1e999 | expected a number, found",
        "rms_norm_eps | \"1e-6\" | expected a number, found",
        "hidden_act | \"gelu\" | expected \"silu\", found \"gelu\"",
        "attention_bias | true | expected false, found true",
        "attention_bias | 0 | expected true or false, found 0",
        "attn_output_gate | false | expected true, found false",
        "tie_word_embeddings | \"no\" | expected true or false, found \"no\"",
        "layer_types | [\"linear_attention\"] | expected 3 entries as num_hidden_layers says,",
        "layer_types | {} | expected a list of strings, found {}",
        "full_attention_interval | 3 | expected the plan that layer_types gives, found 3",
        "rope_parameters | [] | expected an object, found []",
        "rope_parameters.rope_theta | | expected a number of at least 1, found nothing",
        "rope_parameters.rope_theta | 0 | expected a number of at least 1, found 0",
        "rope_parameters.rope_type | \"yarn\" | one supported kind, found \"yarn\"",
        "rope_parameters.type | \"linear\" | one supported kind, found \"linear\"",
        "rope_parameters.mrope_interleaved | false | expected true, found false",
        "rope_parameters.partial_rotary_factor | 1.5 | rotary width of head_dim 32, found 1.5",
        "rope_parameters.partial_rotary_factor | 0.1 | rotary width of head_dim 32, found 0.1",
        "rope_parameters.partial_rotary_factor | -1 | rotary width of head_dim 32, found -1.0",
        "rope_parameters.mrope_section | [1, 1, 1] | sections that add up to 4",
        "rope_parameters.mrope_section | [2, 2] | sections that add up to 4",
        "rope_theta | 10000 | expected 1.0E7 as in rope_parameters, found 10000.0",
        "rope_scaling | {\"rope_type\":\"yarn\"} | one supported kind, found \"yarn\"",
      })
  void whatIsMissingOrWrongIsNamed(String key, String value, String problem) throws IOException {
    ObjectNode config = SampleConfig.with(SampleConfig.text(), key, value);
    if (!key.equals("model_type")) {
      // In a multimodal model, the path says where the key is.
      ObjectNode outer = SampleConfig.multimodal();
      SampleConfig.with(outer, "text_config." + key, value);
      assertRefused(outer, subject("text_config." + key), problem);
    }
    assertRefused(config, subject(key), problem);
  }

  // The kind of rope_scaling is one of its own keys.
  private static String subject(String key) {
    return key.endsWith("rope_scaling") ? key + ".rope_type" : key;
  }

  @Test
  void elementsOfListsAreNamed() throws IOException {
    assertRefused(
        SampleConfig.with(SampleConfig.text(), "layer_types", "[\"linear_attention\", 7, null]"),
        "layer_types[1]",
        "expected a string, found 7");
    assertRefused(
        SampleConfig.with(SampleConfig.text(), "layer_types", "[\"sliding_attention\"]"),
        "layer_types[0]",
        "expected linear_attention or full_attention, found sliding_attention");
    assertRefused(
        SampleConfig.with(SampleConfig.text(), "rope_parameters.mrope_section", "[2, -1, 3]"),
        "rope_parameters.mrope_section[1]",
        "found -1");
  }

  @Test
  void aStateLargerThanAnyMachineHolds() throws IOException {
    ObjectNode config = SampleConfig.text();
    SampleConfig.with(config, "linear_num_value_heads", "4096");
    SampleConfig.with(config, "linear_key_head_dim", "4096");
    SampleConfig.with(config, "linear_value_head_dim", "4096");
    assertRefused(config, "linear_num_value_heads", "found 4096 heads of 4096 x 4096");
  }

  @Test
  void aMultimodalModelWithoutOrWithAnotherTextModel() throws IOException {
    assertRefused(
        SampleConfig.with(SampleConfig.multimodal(), "text_config", ""),
        "text_config",
        "expected an object, found nothing");
    assertRefused(
        SampleConfig.with(SampleConfig.multimodal(), "text_config.model_type", "\"qwen2\""),
        "text_config.model_type",
        "expected qwen3_5_text, found \"qwen2\"");
  }

  /** Whatever the damage, the reader says so in its own way or reads a file that is valid. */
  @Test
  void aFlippedBitInEveryByteAndTruncations() throws IOException {
    byte[] whole = SampleConfig.multimodal().toString().getBytes(StandardCharsets.UTF_8);
    Path file = folder.resolve("config.json");
    int refusals = 0;
    for (int i = 0; i < whole.length; i++) {
      byte[] flipped = whole.clone();
      flipped[i] ^= (byte) (1 << i % 7);
      Files.write(file, flipped);
      try {
        ConfigReader.read(file);
      } catch (CheckpointException expected) {
        refusals++;
      }
    }
    assertTrue(refusals > whole.length / 2, "most flips must be noticed, found " + refusals);
    for (int length = 0; length < whole.length; length += 13) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThrows(CheckpointException.class, () -> ConfigReader.read(file));
    }
  }

  @Test
  void filesThatAreNoJsonObject() throws IOException {
    Path file = folder.resolve("config.json");
    for (String text : List.of("", "[]", "{} {}", "{\"a\":1,\"a\":2}", "[".repeat(100_000))) {
      Files.writeString(file, text);
      CheckpointException refusal =
          assertThrows(CheckpointException.class, () -> ConfigReader.read(file));
      assertEquals("JSON file", refusal.subject());
      assertEquals(1, refusal.getMessage().lines().count(), refusal.getMessage());
    }
    Files.write(file, new byte[] {'{', (byte) 0xFF, '}'});
    assertThrows(CheckpointException.class, () -> ConfigReader.read(file));
    assertThrows(CheckpointException.class, () -> ConfigReader.read(folder));
    assertThrows(CheckpointException.class, () -> ConfigReader.read(folder.resolve("none")));
  }
}
