package dev.gdn.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.gdn.model.config.GenerationConfigReader;
import dev.gdn.model.error.CheckpointException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code generation_config.json}, and what {@code config.json} says in its place. */
class GenerationConfigFuzzTest {
  private static final InputFile FILE = new InputFile("generation_config.json");
  private static final Path MISSING = FILE.path().resolveSibling("missing.json");
  private static final Path CONFIG = Samples.acceptance("models/qwen3_5/config.json");

  static Stream<byte[]> samples() {
    return Samples.ofModels("generation_config.json");
  }

  @MethodSource("samples")
  @FuzzTest
  void readsOrRefuses(byte[] content) {
    Path file = FILE.write(content);
    Bounds.check(
        content.length, CheckpointException.class, () -> GenerationConfigReader.read(file, CONFIG));
    Bounds.check(
        content.length,
        CheckpointException.class,
        () -> GenerationConfigReader.read(MISSING, file));
  }
}
