package dev.gdn.model.safetensors;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.file.FileMapping;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Map;

/**
 * A safetensors file, mapped into memory: its tensors are views of the mapping, none is copied.
 * Safe to share; after {@link #close()} reading a tensor throws {@link IllegalStateException}.
 */
public final class SafetensorsFile implements AutoCloseable {
  /** Bytes before the header: its length. */
  static final int PREFIX = 8;

  /** The longest header the format allows, in bytes. */
  static final long MAXIMUM_HEADER = 100_000_000;

  private static final ValueLayout.OfLong LENGTH =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Path path;
  private final Header header;
  private final Arena owned;

  private SafetensorsFile(Path path, Header header, Arena owned) {
    this.path = path;
    this.header = header;
    this.owned = owned;
  }

  /**
   * Maps a file until it is closed.
   *
   * @throws CheckpointException if it cannot be read or is no valid safetensors file
   */
  public static SafetensorsFile open(Path path) {
    Arena arena = Arena.ofShared();
    try {
      return new SafetensorsFile(path, read(path, arena), arena);
    } catch (Throwable failure) {
      arena.close();
      throw failure;
    }
  }

  /**
   * Maps a file for as long as an arena lives; closing the file does nothing then.
   *
   * @throws CheckpointException if it cannot be read or is no valid safetensors file
   */
  public static SafetensorsFile open(Path path, Arena arena) {
    return new SafetensorsFile(path, read(path, arena), null);
  }

  private static Header read(Path path, Arena arena) {
    MemorySegment file = FileMapping.map(path, "safetensors file", arena);
    if (file.byteSize() < PREFIX) {
      throw new CheckpointException(
          path,
          "header length",
          "expected %d bytes, found a file of %d".formatted(PREFIX, file.byteSize()));
    }
    long length = file.get(LENGTH, 0);
    long longest = Math.min(file.byteSize() - PREFIX, MAXIMUM_HEADER);
    if (length < 0 || length > longest) {
      throw new CheckpointException(
          path,
          "header length",
          "expected at most %d in a file of %d bytes, found %s: no safetensors file, or one cut short"
              .formatted(longest, file.byteSize(), Long.toUnsignedString(length)));
    }
    byte[] json = file.asSlice(PREFIX, length).toArray(ValueLayout.JAVA_BYTE);
    MemorySegment data = file.asSlice(PREFIX + length).asReadOnly();
    return new HeaderReader(path, data).read(json);
  }

  /** Where the file is. */
  public Path path() {
    return path;
  }

  /** The header's {@code __metadata__}; empty if there is none. Unmodifiable. */
  public Map<String, String> metadata() {
    return header.metadata();
  }

  /** The tensors by name, in the order of the header. Unmodifiable. */
  public Map<String, SafetensorsTensor> tensors() {
    return header.tensors();
  }

  /**
   * The tensor of a name.
   *
   * @throws CheckpointException if there is none
   */
  public SafetensorsTensor tensor(String name) {
    SafetensorsTensor tensor = header.tensors().get(name);
    if (tensor == null) {
      throw new CheckpointException(path, "tensor " + name, "missing");
    }
    return tensor;
  }

  /** Unmaps the file, unless an arena was given to open it with. May be called again. */
  @Override
  public void close() {
    if (owned != null && owned.scope().isAlive()) {
      owned.close();
    }
  }
}
