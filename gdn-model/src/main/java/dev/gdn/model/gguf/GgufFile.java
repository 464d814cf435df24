package dev.gdn.model.gguf;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.file.FileMapping;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

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

  /**
   * The files that a path stands for, by their names alone: itself, or all parts of a split one,
   * also where it is a symbolic link to one of them.
   */
  public static List<Path> parts(Path path) {
    List<Path> parts =
        SplitName.candidates(path)
            .flatMap(name -> IntStream.range(0, name.count()).mapToObj(name::part))
            .toList();
    return parts.isEmpty() ? List.of(path) : parts;
  }

  /** Maps and reads a file alone, a part of a split one or not. */
  static Directory read(Path path, Arena arena) {
    return new DirectoryReader(path, FileMapping.map(path, "GGUF file", arena)).read();
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
