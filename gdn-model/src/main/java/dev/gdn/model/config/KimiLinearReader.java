package dev.gdn.model.config;

import dev.gdn.core.kernel.Activation;
import dev.gdn.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Reads the configuration of Kimi Linear: as published, with {@code linear_attn_config}, or as the
 * public implementation writes it, with lists of layer types.
 */
final class KimiLinearReader {
  private static final String NESTED = "linear_attn_config";

  /** The norm of latent vectors has an epsilon of its own, which no key says. */
  private static final double LATENT_NORM_EPSILON = 1e-6;

  private final JsonObject config;
  private final ConfigValues values;
  private final Optional<JsonObject> nested;

  KimiLinearReader(JsonObject config) {
    this.config = config;
    this.values = new ConfigValues(config);
    this.nested = config.object(NESTED);
  }

  ModelConfig read(boolean tied) {
    values.refuseVariants();
    values.requireText("moe_router_activation_func", "sigmoid");
    values.requireFlag("mla_use_nope", true);
    if (config.has("q_lora_rank")) {
      throw config.mismatch("q_lora_rank", "null: queries of full rank");
    }
    int count = values.layerCount();
    return new ModelConfig(
        Architecture.KIMI_LINEAR,
        values.size("vocab_size"),
        values.size("hidden_size"),
        layers(count),
        values.epsilon("rms_norm_eps"),
        tied,
        values.positions(
            config.has("model_max_length") ? "model_max_length" : "max_position_embeddings"),
        attention(),
        linearAttention(),
        new KimiFeedForwards(config, count).read());
  }

  private List<LayerType> layers(int count) {
    Optional<List<LayerType>> named = values.layerTypes(count, "full_attention");
    if (named.isPresent()) {
      return named.get();
    }
    JsonObject plan =
        nested.orElseThrow(() -> config.mismatch("layer_types", "a list, or " + NESTED));
    List<Integer> full = numbers(plan, "full_attn_layers", count);
    List<Integer> linear = numbers(plan, "kda_layers", count);
    List<LayerType> layers = new ArrayList<>();
    for (int number = 1; number <= count; number++) {
      if (full.contains(number) == linear.contains(number)) {
        throw plan.problem(
            "kda_layers",
            "expected each layer here or in full_attn_layers, found layer %d in %s"
                .formatted(number, full.contains(number) ? "both" : "neither"));
      }
      layers.add(full.contains(number) ? LayerType.FULL_ATTENTION : LayerType.LINEAR_ATTENTION);
    }
    return layers;
  }

  private static List<Integer> numbers(JsonObject plan, String key, int count) {
    return plan.integers(key, 1, count)
        .orElseThrow(() -> plan.mismatch(key, "a list of layers from 1"));
  }

  private LatentAttentionConfig attention() {
    int heads = values.heads("num_attention_heads");
    if (values.heads("num_key_value_heads", heads) != heads) {
      throw config.mismatch("num_key_value_heads", "num_attention_heads, " + heads);
    }
    return new LatentAttentionConfig(
        heads,
        values.headWidth("kv_lora_rank"),
        values.headWidth("qk_nope_head_dim"),
        values.headWidth("qk_rope_head_dim"),
        values.headWidth("v_head_dim"),
        LATENT_NORM_EPSILON);
  }

  private LinearAttentionConfig linearAttention() {
    JsonObject holder = nested.orElse(config);
    ConfigValues sizes = new ConfigValues(holder);
    int heads = sizes.heads(nested.isPresent() ? "num_heads" : "linear_num_heads");
    int width = sizes.headWidth(nested.isPresent() ? "head_dim" : "linear_head_dim");
    sizes.checkState(nested.isPresent() ? "num_heads" : "linear_num_heads", heads, width, width);
    return new LinearAttentionConfig(
        heads,
        heads,
        width,
        width,
        values.convolutionWidth(
            holder, nested.isPresent() ? "short_conv_kernel_size" : "linear_conv_kernel_dim"),
        new DeltaVariant(DecayGate.PER_KEY_CHANNEL, 1, Activation.SIGMOID, OptionalDouble.empty()));
  }
}
