package dev.gdn.model.checkpoint;

import dev.gdn.model.config.BlockScaling;
import dev.gdn.model.config.ConfigReader;
import dev.gdn.model.config.GenerationConfig;
import dev.gdn.model.config.GenerationConfigReader;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.QuantizationReader;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.file.FileKind;
import dev.gdn.model.tokenizer.Tokenizer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A checkpoint as model hubs publish it: a folder of {@code config.json}, weights in safetensors
 * and, for models that read text, {@code tokenizer.json}. Immutable.
 *
 * @param path the folder
 * @param config the model's sizes
 * @param generationConfig what it recommends for generation
 * @param scaling of its FP8 matrices, if it has some
 */
public record HubFolder(
    Path path,
    ModelConfig config,
    GenerationConfig generationConfig,
    Optional<BlockScaling> scaling)
    implements Checkpoint {
  static final String CONFIG = "config.json";
  static final String GENERATION_CONFIG = "generation_config.json";
  static final String TOKENIZER = "tokenizer.json";

  /**
   * Reads the configuration of a folder; weights are opened by {@link #openWeights()}.
   *
   * @throws CheckpointException if there is no such folder or its configuration is not valid
   */
  public static HubFolder open(Path path) {
    if (!Files.isDirectory(path)) {
      throw new CheckpointException(
          path,
          "checkpoint",
          "expected a folder with config.json and model.safetensors, found "
              + FileKind.describe(path));
    }
    Path config = path.resolve(CONFIG);
    return new HubFolder(
        path,
        ConfigReader.read(config),
        GenerationConfigReader.read(path.resolve(GENERATION_CONFIG), config),
        QuantizationReader.read(config));
  }

  @Override
  public HubWeights openWeights(LoadOptions options) {
    return HubWeights.open(path, config.architecture(), config.tiedEmbedding(), scaling, options);
  }

  @Override
  public Tokenizer readTokenizer() {
    return Tokenizer.read(path.resolve(TOKENIZER));
  }

  @Override
  public ChatTemplates readChatTemplates() {
    return HubChatTemplates.read(path);
  }
}
