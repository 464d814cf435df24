package dev.gdn.model.gguf;

import dev.gdn.model.error.CheckpointException;
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
 * Safe to share; after {@link #close()} reading a tensor throws {@link IllegalStateException}.
 */
public final class GgufFile implements AutoCloseable {
  private final Path path;
  private final Arena arena;
  private final Directory directory;
  private final GgufMetadata metadata;

  private GgufFile(Path path, Arena arena, Directory directory) {
    this.path = path;
    this.arena = arena;
    this.directory = directory;
    this.metadata = new GgufMetadata(path, directory.metadata());
  }

  /**
   * Maps a file until it is closed.
   *
   * @throws CheckpointException if it cannot be read or is no valid GGUF file
   */
  public static GgufFile open(Path path) {
    Arena arena = Arena.ofShared();
    try {
      return new GgufFile(path, arena, new DirectoryReader(path, map(path, arena)).read());
    } catch (Throwable failure) {
      arena.close();
      throw failure;
    }
  }

  private static MemorySegment map(Path path, Arena arena) {
    if (!Files.isRegularFile(path)) {
      throw new CheckpointException(
          path,
          "GGUF file",
          Files.exists(path) ? "expected a file, found a folder" : "no such file");
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
    } catch (IOException failure) {
      throw new CheckpointException(
          path, "GGUF file", "cannot be read: " + failure.getMessage(), failure);
    }
  }

  /** Where the file is. */
  public Path path() {
    return path;
  }

  /** Version of the format, 2 or 3. */
  public int version() {
    return directory.version();
  }

  /** The metadata. */
  public GgufMetadata metadata() {
    return metadata;
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
