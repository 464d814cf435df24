package dev.gdn.stress;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.config.Architecture;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.RotaryConfig;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.synth.SyntheticCheckpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A model of two small layers with random weights, one of each kind. */
final class TinyModel {
  private static final ModelConfig CONFIG =
      new ModelConfig(
          Architecture.QWEN3_5,
          320,
          32,
          List.of(LayerType.LINEAR_ATTENTION, LayerType.FULL_ATTENTION),
          1e-6f,
          true,
          64,
          new AttentionConfig(2, 1, 16, new RotaryConfig(4, 1e6, List.of(1, 1, 0))),
          new LinearAttentionConfig(1, 2, 16, 16, 4),
          List.of(new DenseFeedForward(32), new DenseFeedForward(32)));

  private static final Path FILE = write();

  // One pool for all: of the process's own, threads would be shared with what is tested elsewhere.
  private static final Workers POOL = Workers.of(2);

  private TinyModel() {}

  /** Opens it; the caller closes. */
  static LanguageModel open() {
    return LanguageModel.open(FILE, ModelOptions.defaults().withWorkers(POOL).withSnapshotBytes(0));
  }

  private static Path write() {
    try {
      Path file = Files.createTempFile("gdn-stress", ".gguf");
      file.toFile().deleteOnExit();
      SyntheticCheckpoint.write(
          "tiny", CONFIG, FileType.F32, 1, file, Workers.of(1), (bytes, total) -> {});
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
