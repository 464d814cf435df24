package dev.gdn.cli;

import dev.gdn.model.safetensors.SafetensorsWriter;
import java.io.IOException;
import java.nio.file.Path;

/** Results that a command writes to files. */
final class Outputs {
  private Outputs() {}

  /**
   * Writes a file.
   *
   * @throws InputException if it cannot be written, naming it
   */
  static void write(SafetensorsWriter writer, Path file) {
    try {
      writer.write(file);
    } catch (IOException e) {
      throw FileProblem.of(file, "cannot be written", e);
    }
  }
}
