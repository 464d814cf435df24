package dev.gdn.model.config;

import dev.gdn.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads the configuration of Qwen3.5 and Qwen3-Next. */
final class QwenReader {
  private static final int DEFAULT_ATTENTION_INTERVAL = 4;

  private final JsonObject config;
  private final ConfigValues values;

  QwenReader(JsonObject config) {
    this.config = config;
    this.values = new ConfigValues(config);
  }

  /**
   * @param feedForwards what follows the token mixing in each layer
   */
  ModelConfig read(
      Architecture architecture,
      boolean tied,
      Function<FeedForwardReader, List<FeedForwardConfig>> feedForwards) {
    values.refuseVariants();
    values.requireFlag("attn_output_gate", true);
    List<LayerType> layers = layers("full_attention");
    return new ModelConfig(
        architecture,
        values.size("vocab_size"),
        values.size("hidden_size"),
        layers,
        values.epsilon("rms_norm_eps"),
        tied,
        values.positions("max_position_embeddings"),
        attention(),
        linearAttention(DeltaVariant.STANDARD),
        feedForwards.apply(new FeedForwardReader(config, layers.size())));
  }

  List<LayerType> layers(String... fullAttention) {
    int count = values.layerCount();
    Optional<List<LayerType>> named = values.layerTypes(count, fullAttention);
    String key = "full_attention_interval";
    var interval = config.integer(key, 1, ConfigReader.MAXIMUM_LAYERS);
    List<LayerType> repeated =
        ConfigValues.everyLayer(interval.orElse(DEFAULT_ATTENTION_INTERVAL), count);
    if (named.isPresent() && interval.isPresent() && !named.get().equals(repeated)) {
      throw config.mismatch(key, "the plan that layer_types gives");
    }
    return named.orElse(repeated);
  }

  AttentionConfig attention() {
    int heads = values.heads("num_attention_heads");
    int keyValueHeads = values.heads("num_key_value_heads");
    values.requireMultiple("num_attention_heads", heads, "num_key_value_heads", keyValueHeads);
    int headWidth = values.headWidth("head_dim");
    return new AttentionConfig(
        heads, keyValueHeads, headWidth, new RotaryReader(config, headWidth, 0.25).read());
  }

  LinearAttentionConfig linearAttention(DeltaVariant variant) {
    int keyHeads = values.heads("linear_num_key_heads");
    int valueHeads = values.heads("linear_num_value_heads");
    values.requireMultiple("linear_num_value_heads", valueHeads, "linear_num_key_heads", keyHeads);
    int keyWidth = values.headWidth("linear_key_head_dim");
    int valueWidth = values.headWidth("linear_value_head_dim");
    values.checkState("linear_num_value_heads", valueHeads, keyWidth, valueWidth);
    return new LinearAttentionConfig(
        keyHeads,
        valueHeads,
        keyWidth,
        valueWidth,
        values.convolutionWidth(config, "linear_conv_kernel_dim"),
        variant);
  }
}
