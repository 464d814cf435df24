package dev.gdn.model.config;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.json.JsonObject;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The models that hub checkpoints are of, by their {@code model_type}. */
enum HubModel {
  QWEN3_5(
      "qwen3_5_text",
      "qwen3_5",
      (config, tied) ->
          new QwenReader(config).read(Architecture.QWEN3_5, tied, FeedForwardReader::dense)),
  QWEN3_5_MOE(
      "qwen3_5_moe_text",
      "qwen3_5_moe",
      (config, tied) ->
          new QwenReader(config).read(Architecture.QWEN3_5_MOE, tied, FeedForwardReader::experts)),
  QWEN3_NEXT(
      "qwen3_next",
      null,
      (config, tied) ->
          new QwenReader(config).read(Architecture.QWEN3_NEXT, tied, FeedForwardReader::sparse)),
  OLMO_HYBRID("olmo_hybrid", null, (config, tied) -> new OlmoHybridReader(config).read(tied)),
  KIMI_LINEAR("kimi_linear", null, (config, tied) -> new KimiLinearReader(config).read(tied)),
  QWEN4_EXP("qwen4_exp_text", "qwen4_exp", (config, tied) -> new Qwen4Reader(config).read(tied));

  @FunctionalInterface
  private interface Reader {
    ModelConfig read(JsonObject config, boolean tied);
  }

  private final String textType;

  /** Of a multimodal checkpoint with such a text model inside; null if there is none. */
  private final String multimodalType;

  private final Reader reader;

  HubModel(String textType, String multimodalType, Reader reader) {
    this.textType = textType;
    this.multimodalType = multimodalType;
    this.reader = reader;
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

  /**
   * Reads the text model's part of a configuration.
   *
   * @param tied whether the head is the embedding
   */
  ModelConfig read(JsonObject text, boolean tied) {
    return reader.read(text, tied);
  }
}
