package dev.gdn.model.config;

import dev.gdn.core.kernel.ConvolutionWeights;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the {@code config.json} of a hub folder: the flat one of a text model, or the {@code
 * text_config} inside that of a multimodal model. Keys it does not know are ignored; a key that is
 * missing, of another type, out of range or in contradiction to another is named.
 */
public final class ConfigReader {
  // Limits far beyond published models: what is sized by a number from the file stays addressable.
  static final int MAXIMUM_SIZE = 1 << 24;
  static final int MAXIMUM_LAYERS = 1 << 12;
  private static final int MAXIMUM_HEADS = 1 << 12;
  private static final int MAXIMUM_HEAD_WIDTH = 1 << 12;
  private static final int MAXIMUM_POSITIONS = 1 << 30;

  private static final int DEFAULT_ATTENTION_INTERVAL = 4;

  private final HubModel model;
  private final JsonObject config;

  private ConfigReader(HubModel model, JsonObject config) {
    this.model = model;
    this.config = config;
  }

  /**
   * Reads a configuration.
   *
   * @throws CheckpointException if the model is not supported or the file is not valid
   */
  public static ModelConfig read(Path configJson) {
    JsonObject outer = JsonObject.read(configJson);
    HubModel model = HubModel.of(outer);
    JsonObject text = model.text(outer);
    // As in the public implementation, the head of a multimodal model follows the outer key.
    boolean tied =
        outer.flag("tie_word_embeddings").or(() -> text.flag("tie_word_embeddings")).orElse(false);
    return new ConfigReader(model, text).read(tied);
  }

  private ModelConfig read(boolean tied) {
    refuseVariants();
    List<LayerType> layers = layers();
    return new ModelConfig(
        model.architecture(),
        size("vocab_size"),
        size("hidden_size"),
        layers,
        normEpsilon(),
        tied,
        config.requireInteger("max_position_embeddings", 1, MAXIMUM_POSITIONS),
        attention(),
        linearAttention(),
        model.feedForwards(new FeedForwardReader(config, layers.size())));
  }

  /** Options of the family that no published model uses and that would change the numbers. */
  private void refuseVariants() {
    if (!config.text("hidden_act").orElse("silu").equals("silu")) {
      throw config.mismatch("hidden_act", "\"silu\"");
    }
    if (config.flag("attention_bias").orElse(false)) {
      throw config.mismatch("attention_bias", "false");
    }
    if (!config.flag("attn_output_gate").orElse(true)) {
      throw config.mismatch("attn_output_gate", "true");
    }
  }

  private List<LayerType> layers() {
    int count = config.requireInteger("num_hidden_layers", 1, MAXIMUM_LAYERS);
    Optional<List<String>> names = config.texts("layer_types");
    if (names.isEmpty()) {
      return repeated(count, interval().orElse(DEFAULT_ATTENTION_INTERVAL));
    }
    List<LayerType> layers = named(names.get());
    if (layers.size() != count) {
      throw config.problem(
          "layer_types",
          "expected %d entries as num_hidden_layers says, found %d"
              .formatted(count, layers.size()));
    }
    if (interval().isPresent() && !layers.equals(repeated(count, interval().get()))) {
      throw config.mismatch("full_attention_interval", "the plan that layer_types gives");
    }
    return layers;
  }

  private Optional<Integer> interval() {
    var interval = config.integer("full_attention_interval", 1, MAXIMUM_LAYERS);
    return interval.isPresent() ? Optional.of(interval.getAsInt()) : Optional.empty();
  }

  private static List<LayerType> repeated(int count, int interval) {
    List<LayerType> layers = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      layers.add(i % interval == 0 ? LayerType.FULL_ATTENTION : LayerType.LINEAR_ATTENTION);
    }
    return layers;
  }

  private List<LayerType> named(List<String> names) {
    List<LayerType> layers = new ArrayList<>();
    for (String name : names) {
      layers.add(
          switch (name) {
            case "linear_attention" -> LayerType.LINEAR_ATTENTION;
            case "full_attention" -> LayerType.FULL_ATTENTION;
            default ->
                throw config.problem(
                    "layer_types[" + layers.size() + "]",
                    "expected linear_attention or full_attention, found " + name);
          });
    }
    return layers;
  }

  private double normEpsilon() {
    double epsilon =
        config
            .number("rms_norm_eps")
            .orElseThrow(() -> config.mismatch("rms_norm_eps", "a number"));
    if (epsilon <= 0 || epsilon >= 1) {
      throw config.mismatch("rms_norm_eps", "a number between 0 and 1");
    }
    return epsilon;
  }

  private AttentionConfig attention() {
    int heads = heads("num_attention_heads");
    int keyValueHeads = heads("num_key_value_heads");
    requireMultiple("num_attention_heads", heads, "num_key_value_heads", keyValueHeads);
    int headWidth = headWidth("head_dim");
    return new AttentionConfig(
        heads, keyValueHeads, headWidth, new RotaryReader(config, headWidth).read());
  }

  private LinearAttentionConfig linearAttention() {
    int keyHeads = heads("linear_num_key_heads");
    int valueHeads = heads("linear_num_value_heads");
    requireMultiple("linear_num_value_heads", valueHeads, "linear_num_key_heads", keyHeads);
    int keyWidth = headWidth("linear_key_head_dim");
    int valueWidth = headWidth("linear_value_head_dim");
    long state = (long) valueHeads * keyWidth * valueWidth;
    if (state > LinearAttentionConfig.MAXIMUM_STATE) {
      throw config.problem(
          "linear_num_value_heads",
          "expected a state of at most %d numbers, found %d heads of %d x %d"
              .formatted(LinearAttentionConfig.MAXIMUM_STATE, valueHeads, keyWidth, valueWidth));
    }
    return new LinearAttentionConfig(
        keyHeads,
        valueHeads,
        keyWidth,
        valueWidth,
        config.requireInteger(
            "linear_conv_kernel_dim",
            ConvolutionWeights.MINIMUM_WIDTH,
            ConvolutionWeights.MAXIMUM_WIDTH));
  }

  private int size(String key) {
    return config.requireInteger(key, 1, MAXIMUM_SIZE);
  }

  private int heads(String key) {
    return config.requireInteger(key, 1, MAXIMUM_HEADS);
  }

  private int headWidth(String key) {
    return config.requireInteger(key, 1, MAXIMUM_HEAD_WIDTH);
  }

  private void requireMultiple(String key, int value, String ofKey, int of) {
    if (value % of != 0) {
      throw config.problem(
          key, "expected a multiple of %s, %d, found %d".formatted(ofKey, of, value));
    }
  }
}
