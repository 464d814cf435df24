package dev.gdn.model.config;

import dev.gdn.core.kernel.ConvolutionWeights;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the readers of all families fetch from a configuration, with its ranges. */
record ConfigValues(JsonObject json) {
  private static final int MAXIMUM_HEADS = 1 << 12;
  private static final int MAXIMUM_HEAD_WIDTH = 1 << 12;
  private static final int MAXIMUM_POSITIONS = 1 << 30;

  /** Options that no published model of the family uses and that would change the numbers. */
  void refuseVariants() {
    requireText("hidden_act", "silu");
    requireFlag("attention_bias", false);
  }

  void requireText(String key, String only) {
    if (!json.text(key).orElse(only).equals(only)) {
      throw json.mismatch(key, "\"" + only + "\"");
    }
  }

  void requireFlag(String key, boolean only) {
    if (json.flag(key).orElse(only) != only) {
      throw json.mismatch(key, Boolean.toString(only));
    }
  }

  int size(String key) {
    return json.requireInteger(key, 1, ConfigReader.MAXIMUM_SIZE);
  }

  int heads(String key) {
    return json.requireInteger(key, 1, MAXIMUM_HEADS);
  }

  int heads(String key, int otherwise) {
    return json.integer(key, 1, MAXIMUM_HEADS).orElse(otherwise);
  }

  int headWidth(String key) {
    return json.requireInteger(key, 1, MAXIMUM_HEAD_WIDTH);
  }

  int headWidth(String key, int otherwise) {
    return json.integer(key, 1, MAXIMUM_HEAD_WIDTH).orElse(otherwise);
  }

  int positions(String key) {
    return json.requireInteger(key, 1, MAXIMUM_POSITIONS);
  }

  int convolutionWidth(JsonObject holder, String key) {
    return holder.requireInteger(
        key, ConvolutionWeights.MINIMUM_WIDTH, ConvolutionWeights.MAXIMUM_WIDTH);
  }

  double epsilon(String key) {
    double epsilon = json.number(key).orElseThrow(() -> json.mismatch(key, "a number"));
    if (epsilon <= 0 || epsilon >= 1) {
      throw json.mismatch(key, "a number between 0 and 1");
    }
    return epsilon;
  }

  void requireMultiple(String key, int value, String ofKey, int of) {
    if (value % of != 0) {
      throw json.problem(
          key, "expected a multiple of %s, %d, found %d".formatted(ofKey, of, value));
    }
  }

  /**
   * The plan that {@code layer_types} gives.
   *
   * @param fullAttention the names of full attention, the usual one first
   */
  Optional<List<LayerType>> layerTypes(int count, String... fullAttention) {
    Optional<List<String>> names = json.texts("layer_types");
    if (names.isEmpty()) {
      return Optional.empty();
    }
    List<LayerType> layers = new ArrayList<>();
    for (String name : names.get()) {
      if (name.equals("linear_attention")) {
        layers.add(LayerType.LINEAR_ATTENTION);
      } else if (List.of(fullAttention).contains(name)) {
        layers.add(LayerType.FULL_ATTENTION);
      } else {
        throw json.problem(
            "layer_types[" + layers.size() + "]",
            "expected linear_attention or %s, found %s".formatted(fullAttention[0], name));
      }
    }
    if (layers.size() != count) {
      throw json.problem(
          "layer_types",
          "expected %d entries as num_hidden_layers says, found %d"
              .formatted(count, layers.size()));
    }
    return Optional.of(layers);
  }

  int layerCount() {
    return json.requireInteger("num_hidden_layers", 1, ConfigReader.MAXIMUM_LAYERS);
  }

  /** Full attention in every {@code interval}-th layer. */
  static List<LayerType> everyLayer(int interval, int count) {
    List<LayerType> layers = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      layers.add(i % interval == 0 ? LayerType.FULL_ATTENTION : LayerType.LINEAR_ATTENTION);
    }
    return layers;
  }

  /** Refuses what no machine holds, in the words of the configuration. */
  void checkState(String key, int heads, int keyWidth, int valueWidth) {
    if ((long) heads * keyWidth * valueWidth > LinearAttentionConfig.MAXIMUM_STATE) {
      throw json.problem(
          key,
          "expected a state of at most %d numbers, found %d heads of %d x %d"
              .formatted(LinearAttentionConfig.MAXIMUM_STATE, heads, keyWidth, valueWidth));
    }
  }

  /** What a record refuses is a problem of the file. */
  static CheckpointException refusal(JsonObject json, IllegalArgumentException outOfRange) {
    return new CheckpointException(
        json.file(), "configuration", outOfRange.getMessage(), outOfRange);
  }
}
