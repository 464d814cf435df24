package dev.gdn.model.config;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The models that hub checkpoints are of, by their {@code model_type}. */
enum HubModel {
  QWEN3_5(Architecture.QWEN3_5, "qwen3_5_text", "qwen3_5", FeedForwardReader::dense),
  QWEN3_5_MOE(
      Architecture.QWEN3_5_MOE, "qwen3_5_moe_text", "qwen3_5_moe", FeedForwardReader::experts),
  QWEN3_NEXT(Architecture.QWEN3_NEXT, "qwen3_next", null, FeedForwardReader::sparse);

  private final Architecture architecture;
  private final String textType;

  /** Of a multimodal checkpoint with such a text model inside; null if there is none. */
  private final String multimodalType;

  private final Function<FeedForwardReader, List<FeedForwardConfig>> feedForwards;

  HubModel(
      Architecture architecture,
      String textType,
      String multimodalType,
      Function<FeedForwardReader, List<FeedForwardConfig>> feedForwards) {
    this.architecture = architecture;
    this.textType = textType;
    this.multimodalType = multimodalType;
    this.feedForwards = feedForwards;
  }

  /**
   * The model that a configuration is of.
   *
   * @throws CheckpointException if it is not supported
   */
  static HubModel of(JsonObject config) {
    String type = config.text("model_type").orElse("");
    return Arrays.stream(values())
        .filter(model -> type.equals(model.textType) || type.equals(model.multimodalType))
        .findFirst()
        .orElseThrow(() -> config.mismatch("model_type", "one of the supported " + supported()));
  }

  private static String supported() {
    return Arrays.stream(values())
        .map(
            model ->
                model.multimodalType == null
                    ? model.textType
                    : model.textType + ", " + model.multimodalType)
        .collect(Collectors.joining(", "));
  }

  Architecture architecture() {
    return architecture;
  }

  /**
   * The text model's part of a configuration.
   *
   * @throws CheckpointException if it is missing or of another model
   */
  JsonObject text(JsonObject outer) {
    if (outer.text("model_type").orElse("").equals(textType)) {
      return outer;
    }
    JsonObject text =
        outer.object("text_config").orElseThrow(() -> outer.mismatch("text_config", "an object"));
    if (!text.text("model_type").orElse(textType).equals(textType)) {
      throw text.mismatch("model_type", textType);
    }
    return text;
  }

  /** What follows the token mixing in each layer. */
  List<FeedForwardConfig> feedForwards(FeedForwardReader reader) {
    return feedForwards.apply(reader);
  }
}
