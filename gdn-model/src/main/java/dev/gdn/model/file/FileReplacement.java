package dev.gdn.model.file;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Writes a file beside its final place and moves it there when it is complete, so that a file of
 * this name is never half written. A regular file that is there is replaced; where a symbolic link
 * leads to one, that is replaced and the link stays. The new file has the permissions of the old
 * one, and one that may not be written to is refused. Anything else that is there is refused and
 * left as it is: a folder, a device, a pipe, a link that leads nowhere.
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
   * @throws java.io.InterruptedIOException if the thread is interrupted, and stays so
   * @throws IOException if it cannot be written, or is no regular file. Nothing is left behind
   *     then, nor if the process is told to end meanwhile. It names the file, and not the one
   *     beside it
   */
  public static void write(Path file, Content content) throws IOException {
    Path target = target(file);
    String suffix = "." + Integer.toHexString(ThreadLocalRandom.current().nextInt()) + ".tmp";
    Path partial = target.resolveSibling(target.getFileName() + suffix);
    Thread removal = new Thread(() -> remove(partial), "gdn-remove-partial-file");
    Runtime.getRuntime().addShutdownHook(removal);
    try {
      try (FileChannel channel =
          FileChannel.open(partial, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        content.writeTo(channel);
      }
      keepPermissions(target, partial);
      Files.move(
          partial, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (ClosedByInterruptException e) {
      throw Interruption.whileWriting(file);
    } catch (IOException e) {
      throw renamed(e, file);
    } finally {
      remove(partial);
      forget(removal);
    }
  }

  // Where links lead to, so that the file beside it is on the same file system.
  private static Path target(Path file) throws IOException {
    if (Files.isRegularFile(file)) {
      // To replace it takes the folder's permission alone.
      if (!Files.isWritable(file)) {
        throw new AccessDeniedException(file.toString());
      }
      return file.toRealPath();
    }
    if (FileKind.isThere(file)) {
      throw new FileSystemException(
          file.toString(),
          null,
          "expected a regular file to replace, or nothing, found " + FileKind.describe(file));
    }
    return file;
  }

  private static void keepPermissions(Path old, Path partial) throws IOException {
    if (Files.exists(old) && Files.getFileStore(old).supportsFileAttributeView("posix")) {
      Files.setPosixFilePermissions(partial, Files.getPosixFilePermissions(old));
    }
  }

  // What a full disk gives names no file at all.
  private static FileSystemException renamed(IOException failure, Path file) {
    String name = file.toString();
    String reason =
        failure instanceof FileSystemException known ? known.getReason() : failure.getMessage();
    FileSystemException renamed =
        switch (failure) {
          case NoSuchFileException _ -> new NoSuchFileException(name, null, reason);
          case AccessDeniedException _ -> new AccessDeniedException(name, null, reason);
          default -> new FileSystemException(name, null, reason);
        };
    renamed.initCause(failure);
    return renamed;
  }

  private static void remove(Path partial) {
    try {
      Files.deleteIfExists(partial);
    } catch (IOException e) {
      // What failed first is what is told; where the process ends, there is nobody to tell.
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
