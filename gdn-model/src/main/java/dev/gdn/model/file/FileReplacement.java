package dev.gdn.model.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Writes a file beside its final place and moves it there when it is complete, so that a file of
 * this name is never half written. A file that is there is replaced.
 */
public final class FileReplacement {
  private FileReplacement() {}

  /** Writes what a file is to hold. */
  @FunctionalInterface
  public interface Content {
    /** Writes all of it to a channel that is empty and open. */
    void writeTo(FileChannel channel) throws IOException;
  }

  /**
   * Writes the file.
   *
   * @throws IOException if it cannot be written; nothing is left behind then
   */
  public static void write(Path file, Content content) throws IOException {
    String suffix = "." + Integer.toHexString(ThreadLocalRandom.current().nextInt()) + ".tmp";
    Path partial = file.resolveSibling(file.getFileName() + suffix);
    try {
      try (FileChannel channel =
          FileChannel.open(partial, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        content.writeTo(channel);
      }
      Files.move(
          partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(partial);
    }
  }
}
