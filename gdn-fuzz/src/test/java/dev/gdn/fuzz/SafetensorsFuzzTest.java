package dev.gdn.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.safetensors.SafetensorsFile;
import dev.gdn.model.safetensors.SafetensorsTensor;
import dev.gdn.model.safetensors.SafetensorsWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole safetensors files: length, header and data. */
class SafetensorsFuzzTest {
  private static final InputFile FILE = new InputFile("model.safetensors");

  static Stream<byte[]> samples() throws IOException {
    SafetensorsWriter writer = new SafetensorsWriter();
    writer.metadata("format", "pt");
    writer.add("a", new Shape(2, 3), new float[6]);
    writer.add("b", new Shape(), new float[1]);
    writer.add("none", new Shape(0, 4), new float[0]);
    Path file = FILE.path();
    writer.write(file);
    return Stream.of(Samples.bytes(file));
  }

  @MethodSource("samples")
  @FuzzTest
  void readsOrRefuses(byte[] content) {
    Path file = FILE.write(content);
    Bounds.check(content.length, CheckpointException.class, () -> read(file));
  }

  private static void read(Path path) {
    try (SafetensorsFile file = SafetensorsFile.open(path)) {
      for (SafetensorsTensor tensor : file.tensors().values()) {
        try {
          tensor.toFloats();
        } catch (CheckpointException notOfFloats) {
          tensor.toLongs();
        }
      }
    }
  }
}
