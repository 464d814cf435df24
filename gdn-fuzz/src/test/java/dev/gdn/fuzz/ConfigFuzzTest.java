package dev.gdn.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.gdn.model.config.ConfigReader;
import dev.gdn.model.config.QuantizationReader;
import dev.gdn.model.error.CheckpointException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code config.json}. */
class ConfigFuzzTest {
  private static final InputFile FILE = new InputFile("config.json");

  static Stream<byte[]> samples() {
    return Samples.ofModels("config.json");
  }

  @MethodSource("samples")
  @FuzzTest
  void readsOrRefuses(byte[] content) {
    Path file = FILE.write(content);
    Bounds.check(content.length, CheckpointException.class, () -> ConfigReader.read(file));
    Bounds.check(content.length, CheckpointException.class, () -> QuantizationReader.read(file));
  }
}
