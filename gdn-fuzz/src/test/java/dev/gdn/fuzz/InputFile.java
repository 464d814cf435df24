package dev.gdn.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that takes one input after another; it goes when the JVM ends. */
public final class InputFile {
  private final Path path;

  /**
   * @param name of the file, in a folder of its own
   */
  public InputFile(String name) {
    try {
      Path folder = Files.createTempDirectory("gdn-fuzz");
      folder.toFile().deleteOnExit();
      path = folder.resolve(name);
      path.toFile().deleteOnExit();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Where the file is, or will be. */
  public Path path() {
    return path;
  }

  /**
   * Replaces what the file holds. The old file stays as it is, for whoever has it mapped still.
   *
   * @return where it is
   */
  public Path write(byte[] content) {
    return write(path, content);
  }

  /** As above, for any file. */
  static Path write(Path path, byte[] content) {
    try {
      Files.deleteIfExists(path);
      return Files.write(path, content);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
