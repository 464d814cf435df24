package dev.gdn.model.synth;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.model.config.Architecture;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.RotaryConfig;
import dev.gdn.model.gguf.FileType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/** A synthetic checkpoint small enough to be made in every test. */
public final class TinyCheckpoint {
  public static final ModelConfig CONFIG =
      new ModelConfig(
          Architecture.QWEN3_5,
          320,
          64,
          ModelShape.plan(4),
          1e-6f,
          true,
          512,
          new AttentionConfig(4, 2, 32, new RotaryConfig(8, 1e6, List.of(2, 1, 1))),
          new LinearAttentionConfig(2, 4, 16, 16, 4),
          Collections.nCopies(4, new DenseFeedForward(96)));

  /** The same with a mixture of experts. */
  public static final ModelConfig MIXTURE =
      new ModelConfig(
          Architecture.QWEN3_5_MOE,
          CONFIG.vocabularySize(),
          CONFIG.hiddenSize(),
          CONFIG.layers(),
          CONFIG.normEpsilon(),
          false,
          CONFIG.maxPositions(),
          CONFIG.attention(),
          CONFIG.linearAttention(),
          Collections.nCopies(4, new MixtureOfExperts(6, 2, true, 32, 64)));

  private TinyCheckpoint() {}

  /** Writes it into a folder. */
  public static Path write(Path folder, FileType type) throws IOException {
    return write(folder, CONFIG, type);
  }

  /** Writes one of these sizes into a folder. */
  public static Path write(Path folder, ModelConfig config, FileType type) throws IOException {
    Path file = folder.resolve("tiny-" + config.architecture() + "-" + type + ".gguf");
    SyntheticCheckpoint.write("tiny", config, type, 1, file, Workers.of(1), (bytes, total) -> {});
    return file;
  }
}
