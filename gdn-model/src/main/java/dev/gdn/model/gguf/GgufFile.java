package dev.gdn.model.gguf;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.file.FileKind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * A GGUF file, mapped into memory: its tensors and arrays are views of the mapping, none is copied.
 * Of a file that was split, {@code NAME-00001-of-0000N.gguf}, it is all parts together. Safe to
 * share; after {@link #close()} reading a tensor throws {@link IllegalStateException}.
 */
public final class GgufFile implements AutoCloseable {
  private final Path path;
  private final Arena arena;
  private final Directory directory;

  private GgufFile(Path path, Arena arena, Directory directory) {
    this.path = path;
    this.arena = arena;
    this.directory = directory;
  }

  /**
   * Maps a file until it is closed.
   *
   * @param path of the file, or of any part of a split one
   * @throws CheckpointException if it cannot be read or is no valid GGUF file, or if parts are
   *     missing or do not belong together
   */
  public static GgufFile open(Path path) {
    Arena arena = Arena.ofShared();
    try {
      return new GgufFile(path, arena, SplitReader.read(path, arena));
    } catch (Throwable failure) {
      arena.close();
      throw failure;
    }
  }

  /** Maps and reads a file alone, a part of a split one or not. */
  static Directory read(Path path, Arena arena) {
    return new DirectoryReader(path, map(path, arena)).read();
  }

  private static MemorySegment map(Path path, Arena arena) {
    if (!Files.isRegularFile(path)) {
      throw new CheckpointException(
          path,
          "GGUF file",
          Files.exists(path)
              ? "expected a file, found " + FileKind.describe(path)
              : "no such file");
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
    } catch (IOException failure) {
      throw new CheckpointException(
          path, "GGUF file", "cannot be read: " + failure.getMessage(), failure);
    }
  }

  /** Where the file is; of a split one the part that was opened. */
  public Path path() {
    return path;
  }

  /** Version of the format, 2 or 3. */
  public int version() {
    return directory.version();
  }

  /** The metadata. */
  public GgufMetadata metadata() {
    return directory.metadata();
  }

  /** The tensors by name, in the order of the file. Unmodifiable. */
  public Map<String, GgufTensor> tensors() {
    return directory.tensors();
  }

  /** Unmaps the file. May be called again. */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
