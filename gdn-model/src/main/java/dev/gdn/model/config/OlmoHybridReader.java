package dev.gdn.model.config;

import dev.gdn.core.kernel.Activation;
import dev.gdn.model.json.JsonObject;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Reads the configuration of Olmo-Hybrid. */
final class OlmoHybridReader {
  private static final int DEFAULT_ATTENTION_INTERVAL = 4;

  /** The output norm of linear attention has an epsilon of its own, which no key says. */
  private static final double OUTPUT_NORM_EPSILON = 1e-5;

  private final JsonObject config;
  private final ConfigValues values;

  OlmoHybridReader(JsonObject config) {
    this.config = config;
    this.values = new ConfigValues(config);
  }

  ModelConfig read(boolean tied) {
    values.refuseVariants();
    int count = values.layerCount();
    List<LayerType> layers =
        values
            .layerTypes(count, "full_attention")
            .orElseGet(() -> ConfigValues.everyLayer(DEFAULT_ATTENTION_INTERVAL, count));
    return new ModelConfig(
        Architecture.OLMO_HYBRID,
        values.size("vocab_size"),
        values.size("hidden_size"),
        layers,
        values.epsilon("rms_norm_eps"),
        tied,
        values.positions("max_position_embeddings"),
        attention(),
        linearAttention(),
        new FeedForwardReader(config, count).dense(),
        new NormedResidual(EnumSet.of(LayerType.FULL_ATTENTION)),
        Optional.empty());
  }

  private AttentionConfig attention() {
    int heads = values.heads("num_attention_heads");
    int keyValueHeads = values.heads("num_key_value_heads", heads);
    values.requireMultiple("num_attention_heads", heads, "num_key_value_heads", keyValueHeads);
    int hidden = values.size("hidden_size");
    if (!config.has("head_dim")) {
      values.requireMultiple("hidden_size", hidden, "num_attention_heads", heads);
    }
    int width = values.headWidth("head_dim", hidden / heads);
    return new AttentionConfig(
        heads, keyValueHeads, width, rotary(width), false, QueryKeyNorm.JOINT, Optional.empty());
  }

  // The published model says by the lack of a base that it has no rotary embedding.
  private Optional<RotaryConfig> rotary(int headWidth) {
    boolean there =
        config.has("rope_theta")
            || config.object("rope_parameters").filter(rope -> rope.has("rope_theta")).isPresent();
    config.object("rope_parameters").ifPresent(RotaryReader::refuseVariants);
    return there ? Optional.of(new RotaryReader(config, headWidth, 1).read()) : Optional.empty();
  }

  private LinearAttentionConfig linearAttention() {
    int heads = values.heads("num_attention_heads");
    int keyHeads = values.heads("linear_num_key_heads", heads);
    int valueHeads = values.heads("linear_num_value_heads", heads);
    values.requireMultiple("linear_num_value_heads", valueHeads, "linear_num_key_heads", keyHeads);
    int keyWidth =
        values.headWidth(
            "linear_key_head_dim", (int) (0.75 * values.size("hidden_size") / keyHeads));
    int valueWidth = values.headWidth("linear_value_head_dim", 2 * keyWidth);
    values.checkState("linear_num_value_heads", valueHeads, keyWidth, valueWidth);
    boolean negativeEigenvalues = config.flag("linear_allow_neg_eigval").orElse(true);
    return new LinearAttentionConfig(
        keyHeads,
        valueHeads,
        keyWidth,
        valueWidth,
        values.convolutionWidth(config, "linear_conv_kernel_dim"),
        new DeltaVariant(
            DecayGate.PER_HEAD,
            negativeEigenvalues ? 2 : 1,
            Activation.SILU,
            OptionalDouble.of(OUTPUT_NORM_EPSILON)));
  }
}
