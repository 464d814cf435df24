package dev.gdn.model.checkpoint;

import dev.gdn.model.config.GenerationConfig;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.tokenizer.Tokenizer;
import java.nio.file.Path;

/**
 * A checkpoint as llama.cpp uses them: one GGUF file of configuration, tokenizer and weights.
 * Immutable.
 *
 * @param path the file
 * @param config the model's sizes
 * @param generationConfig what it recommends for generation
 */
public record GgufCheckpoint(Path path, ModelConfig config, GenerationConfig generationConfig)
    implements Checkpoint {
  /**
   * Reads the configuration of a file.
   *
   * @throws CheckpointException if it is missing, not valid or of an architecture that is not
   *     supported
   */
  public static GgufCheckpoint open(Path path) {
    try (GgufFile file = GgufFile.open(path)) {
      GgufConfig config = new GgufConfig(file);
      return new GgufCheckpoint(path, config.model(), config.generation());
    }
  }

  @Override
  public WeightSource openWeights(LoadOptions options) {
    return new GgufWeights(GgufFile.open(path), config.layers().size(), options);
  }

  @Override
  public Tokenizer readTokenizer() {
    try (GgufFile file = GgufFile.open(path)) {
      return GgufVocabulary.read(file);
    }
  }

  @Override
  public ChatTemplates readChatTemplates() {
    try (GgufFile file = GgufFile.open(path)) {
      return GgufChatTemplates.read(file.metadata());
    }
  }
}
