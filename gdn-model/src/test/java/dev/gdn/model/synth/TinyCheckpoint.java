package dev.gdn.model.synth;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.model.config.Architecture;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.RotaryConfig;
import dev.gdn.model.gguf.FileType;
import java.io.IOException;
import java.nio.file.Path;
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
          new DenseFeedForward(96));

  private TinyCheckpoint() {}

  /** Writes it into a folder. */
  public static Path write(Path folder, FileType type) throws IOException {
    Path file = folder.resolve("tiny-" + type + ".gguf");
    SyntheticCheckpoint.write("tiny", CONFIG, type, 1, file, Workers.of(1), (bytes, total) -> {});
    return file;
  }
}
