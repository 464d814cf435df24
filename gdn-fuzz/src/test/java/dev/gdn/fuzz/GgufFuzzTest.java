package dev.gdn.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.gdn.model.error.CheckpointException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole GGUF files, as a container and as a checkpoint. */
class GgufFuzzTest {
  private static final InputFile FILE = new InputFile("model.gguf");

  static Stream<byte[]> samples() {
    return Stream.of("qwen35-F32.gguf", "qwen35moe-F32.gguf")
        .map(name -> GgufSample.of(Samples.acceptance("gguf").resolve(name), FILE.path()));
  }

  @MethodSource("samples")
  @FuzzTest
  void readsOrRefuses(byte[] content) {
    Path file = FILE.write(content);
    Bounds.check(content.length, CheckpointException.class, () -> GgufSample.readContainer(file));
    Bounds.check(content.length, CheckpointException.class, () -> GgufSample.readModel(file));
  }
}
