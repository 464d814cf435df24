package dev.gdn.model.file;

import dev.gdn.model.error.CheckpointException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** Maps the files of checkpoints into memory. */
public final class FileMapping {
  private FileMapping() {}

  /**
   * Maps a whole file to be read.
   *
   * @param kind of file, for messages
   * @param arena the mapping lives as long as it does
   * @throws CheckpointException if there is no regular file, or it cannot be read
   * @throws java.util.concurrent.CancellationException if the thread is interrupted; it stays so
   */
  public static MemorySegment map(Path path, String kind, Arena arena) {
    if (!Files.isRegularFile(path)) {
      throw new CheckpointException(
          path,
          kind,
          FileKind.isThere(path)
              ? "expected a file, found " + FileKind.describe(path)
              : "no such file");
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
    } catch (ClosedByInterruptException interrupt) {
      throw Interruption.whileLoading(path);
    } catch (IOException failure) {
      String reason = Objects.requireNonNullElse(failure.getMessage(), failure.toString());
      throw new CheckpointException(path, kind, "cannot be read: " + reason, failure);
    }
  }
}
