package dev.gdn.model.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gdn.model.error.CheckpointException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Configurations of the models beside Qwen3.5 and Qwen3-Next. */
class FamilyConfigTest {
  @TempDir Path folder;

  private static ObjectNode config(String model) throws IOException {
    Path file = Path.of("../src/test/resources/fixtures/models", model, "config.json");
    return (ObjectNode) new ObjectMapper().readTree(file.toFile());
  }

  private ModelConfig read(ObjectNode config) throws IOException {
    return ConfigReader.read(SampleConfig.write(folder, config));
  }

  @Test
  void olmoHybridAsPublished() throws IOException {
    ObjectNode config = config("olmo_hybrid");
    for (String key :
        List.of(
            "rope_parameters",
            "layer_types",
            "num_key_value_heads",
            "linear_num_key_heads",
            "linear_num_value_heads",
            "linear_key_head_dim",
            "linear_value_head_dim")) {
      SampleConfig.with(config, key, "");
    }
    ModelConfig model = read(config);
    AttentionConfig attention = (AttentionConfig) model.attention();
    assertEquals(Optional.empty(), attention.rotary());
    assertEquals(4, attention.keyValueHeads());
    assertEquals(12, model.linearAttention().keyWidth());
    assertEquals(24, model.linearAttention().valueWidth());
    assertEquals(2, model.linearAttention().variant().largestBeta());
    assertEquals(LayerType.FULL_ATTENTION, model.layers().get(3));
    SampleConfig.with(config, "linear_allow_neg_eigval", "false");
    assertEquals(1, read(config).linearAttention().variant().largestBeta());
  }

  @Test
  void kimiLinearAsPublished() throws IOException {
    ObjectNode config = config("kimi_linear");
    ModelConfig expected = read(config);
    for (String key :
        List.of(
            "layer_types",
            "mlp_layer_types",
            "linear_head_dim",
            "linear_num_heads",
            "linear_conv_kernel_dim")) {
      SampleConfig.with(config, key, "");
    }
    SampleConfig.with(config, "first_k_dense_replace", "1");
    SampleConfig.with(
        config,
        "linear_attn_config",
        "{\"full_attn_layers\": [4], \"kda_layers\": [1, 2, 3], \"head_dim\": 16,"
            + " \"num_heads\": 4, \"short_conv_kernel_size\": 4}");
    assertEquals(expected, read(config));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "olmo_hybrid | linear_num_value_heads | 6 | a multiple of linear_num_key_heads, 4, found 6",
        "olmo_hybrid | intermediate_size | | found nothing",
        "olmo_hybrid | rope_parameters | {`rope_type`: `yarn`, `factor`: 2.0} | the one supported",
        "olmo_hybrid | num_attention_heads | 5 | a multiple of num_key_value_heads, 2, found 5",
        "kimi_linear | num_expert_group | 3 | a multiple of num_expert_group, 3, found 8",
        "kimi_linear | num_expert_group | 8 | expected at least 2 experts in each",
        "kimi_linear | topk_group | 2 | from 1 to 1, found 2",
        "kimi_linear | num_experts_per_token | 9 | from 1 to 8, found 9",
        "kimi_linear | kv_lora_rank | | found nothing",
        "kimi_linear | q_lora_rank | 8 | queries of full rank, found 8",
        "kimi_linear | mla_use_nope | false | expected true, found false",
        "kimi_linear | moe_router_activation_func | `softmax` | expected",
        "kimi_linear | routed_scaling_factor | 0 | a number over 0, found 0",
        "kimi_linear | mlp_layer_types | [`dense`] | expected 4 entries",
        "kimi_linear | num_key_value_heads | 2 | num_attention_heads, 4, found 2",
        "kimi_linear | layer_types | | a list, or linear_attn_config, found nothing",
        "qwen4_exp | indexer_budget | 8192 | from 1 to 4096, found 8192",
        "qwen4_exp | indexer_budget | 18 | a multiple of indexer_compress_ratio, 4, found 18",
        "qwen4_exp | indexer_budget | | found nothing",
        "qwen4_exp | indexer_kv_heads | 2 | from 1 to 1, found 2",
        "qwen4_exp | indexer_head_dim | 4 | at least the rotary width 8, found 4",
        "qwen4_exp | hc_count | 1 | from 2 to 64, found 1",
        "qwen4_exp | hc_lowrank | | found nothing",
        "qwen4_exp | ple_layer_ids | [4] | expected layers of linear attention, found 4",
        "qwen4_exp | ple_layer_ids | [5] | from 1 to 4, found 5",
        "qwen4_exp | ple_embed_dim | 30 | a multiple of all n-gram heads, 4, found 30",
        "qwen4_exp | ngram_vocab_size_base | 2000000000 | found 2000000000",
        "qwen4_exp | ngram_size | 1 | from 2 to 16, found 1",
        "qwen4_exp | eos_token_id | | found nothing",
        "qwen4_exp | eos_token_id | 256 | from 0 to 255, found 256",
        "qwen4_exp | output_gate_type | `tanh` | expected",
        "qwen4_exp | ple_conv_kernel_size | 9 | from 2 to 8, found 9",
      })
  void whatIsMissingOrWrongIsNamed(String model, String key, String value, String problem)
      throws IOException {
    String json = value == null ? "" : value.replace('`', '"');
    ObjectNode config = SampleConfig.with(config(model), key, json);
    CheckpointException refusal = assertThrows(CheckpointException.class, () -> read(config));
    assertTrue(refusal.getMessage().contains(problem), refusal.getMessage());
  }
}
