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
   * @throws IOException if it cannot be written, or the thread is interrupted; nothing is left
   *     behind then, nor if the process is told to end meanwhile
   */
  public static void write(Path file, Content content) throws IOException {
    String suffix = "." + Integer.toHexString(ThreadLocalRandom.current().nextInt()) + ".tmp";
    Path partial = file.resolveSibling(file.getFileName() + suffix);
    Thread removal = new Thread(() -> remove(partial), "gdn-remove-partial-file");
    Runtime.getRuntime().addShutdownHook(removal);
    try {
      try (FileChannel channel =
          FileChannel.open(partial, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        content.writeTo(channel);
      }
      Files.move(
          partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(partial);
      forget(removal);
    }
  }

  private static void remove(Path partial) {
    try {
      Files.deleteIfExists(partial);
    } catch (IOException e) {
      // The process ends, and there is nobody left to tell.
    }
  }

  private static void forget(Thread removal) {
    try {
      Runtime.getRuntime().removeShutdownHook(removal);
    } catch (IllegalStateException e) {
      // The process ends already, and the hook has run or will.
    }
  }
}
