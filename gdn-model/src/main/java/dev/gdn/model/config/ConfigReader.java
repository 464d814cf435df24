package dev.gdn.model.config;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.json.JsonObject;
import java.nio.file.Path;

/**
 * Reads the {@code config.json} of a hub folder: the flat one of a text model, or the {@code
 * text_config} inside that of a multimodal model. Keys it does not know are ignored; a key that is
 * missing, of another type, out of range or in contradiction to another is named.
 */
public final class ConfigReader {
  // Limits far beyond published models: what is sized by a number from the file stays addressable.
  static final int MAXIMUM_SIZE = 1 << 24;
  static final int MAXIMUM_LAYERS = 1 << 12;

  private ConfigReader() {}

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
    try {
      return model.read(text, tied);
    } catch (IllegalArgumentException outOfRange) {
      throw ConfigValues.refusal(text, outOfRange);
    }
  }
}
