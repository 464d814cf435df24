package dev.gdn.model.checkpoint;

import dev.gdn.model.config.GenerationConfig;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.file.FileKind;
import dev.gdn.model.tokenizer.Tokenizer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a model is made from, whichever files it lies in. Immutable; it holds no file open, so that
 * only the weights are to be closed.
 */
public sealed interface Checkpoint permits HubFolder, GgufCheckpoint {
  /**
   * Reads the configuration of a checkpoint.
   *
   * @param path a folder as published on model hubs, a GGUF file, or a folder with one such file,
   *     whole or split, and no {@code config.json}
   * @throws CheckpointException if there is no such file, or it is not valid or not supported
   */
  static Checkpoint open(Path path) {
    if (!Files.isDirectory(path) && !Files.isRegularFile(path)) {
      throw new CheckpointException(
          path,
          "checkpoint",
          "expected a folder of a model hub or a GGUF file, found " + FileKind.describe(path));
    }
    if (Files.isRegularFile(path)) {
      return GgufCheckpoint.open(path);
    }
    Optional<Path> gguf = GgufFolder.file(path);
    if (gguf.isPresent()) {
      return GgufCheckpoint.open(gguf.get());
    }
    if (!FileKind.isThere(path.resolve(HubFolder.CONFIG))) {
      throw new CheckpointException(
          path, "checkpoint", "expected config.json or a model's GGUF file, found neither");
    }
    return HubFolder.open(path);
  }

  /** The folder or file. */
  Path path();

  /** The model's sizes. */
  ModelConfig config();

  /** What it recommends for generation. */
  GenerationConfig generationConfig();

  /**
   * Maps the weights as they are stored. The caller closes them.
   *
   * @throws CheckpointException if a file is missing or not valid
   */
  default WeightSource openWeights() {
    return openWeights(LoadOptions.defaults());
  }

  /**
   * Maps the weights, to be brought into memory as the options say when they are asked for. The
   * caller closes them.
   *
   * @throws CheckpointException if a file is missing or not valid
   */
  WeightSource openWeights(LoadOptions options);

  /**
   * Reads the tokenizer.
   *
   * @throws CheckpointException if there is none, or it is not valid or not supported
   */
  Tokenizer readTokenizer();

  /**
   * Reads the chat templates.
   *
   * @throws CheckpointException if one is not valid as text
   */
  ChatTemplates readChatTemplates();
}
