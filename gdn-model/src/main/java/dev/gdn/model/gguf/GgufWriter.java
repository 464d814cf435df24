package dev.gdn.model.gguf;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.file.FileReplacement;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes a GGUF file of version 3. Tensors are made, encoded and written piece by piece, so that a
 * file may be larger than memory. For one thread at a time.
 */
public final class GgufWriter {
  private static final int ALIGNMENT = DirectoryReader.DEFAULT_ALIGNMENT;

  /** Told how far a file is. */
  @FunctionalInterface
  public interface Progress {
    /** So many bytes of so many are written. */
    void done(long bytes, long total);
  }

  private record Entry(GgmlType type, Shape shape, long bytes, TensorContent content) {}

  private final Map<String, GgufValue> metadata = new LinkedHashMap<>();
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /** A file without metadata and tensors. */
  public GgufWriter() {}

  /**
   * Adds a value to the metadata.
   *
   * @throws IllegalArgumentException if the key is taken, or is that of the alignment, which is 32
   */
  public GgufWriter put(String key, GgufValue value) {
    if (key.equals(DirectoryReader.ALIGNMENT) || metadata.putIfAbsent(key, value) != null) {
      throw new IllegalArgumentException("metadata " + key + ": the key is taken");
    }
    return this;
  }

  /**
   * Adds a tensor whose bytes are there already.
   *
   * @param shape outermost dimension first
   * @param data unchanged until it is written
   * @throws IllegalArgumentException if the name is taken or the shape does not fit the type
   */
  public GgufWriter tensor(String name, GgmlType type, Shape shape, MemorySegment data) {
    return tensor(name, type, shape, TensorContent.of(data));
  }

  /**
   * Adds a tensor that is encoded while it is written.
   *
   * @param shape outermost dimension first
   * @param workers fill and encode rows
   * @throws IllegalArgumentException if the name is taken or the shape does not fit the type
   */
  public GgufWriter tensor(
      String name, DataType type, Shape shape, RowSource rows, Workers workers) {
    return tensor(
        name, GgmlType.of(type), shape, new RowEncoder(type, shape, rows, workers)::writeTo);
  }

  private GgufWriter tensor(String name, GgmlType type, Shape shape, TensorContent content) {
    int rank = shape.rank();
    if (rank < 1
        || rank > DirectoryReader.MAXIMUM_RANK
        || shape.dimension(rank - 1) % type.blockElements() != 0) {
      throw new IllegalArgumentException(
          "tensor %s: expected 1 to %d dimensions, the last a multiple of %d for %s, found %s"
              .formatted(name, DirectoryReader.MAXIMUM_RANK, type.blockElements(), type, shape));
    }
    long bytes =
        Math.multiplyExact(shape.elements() / type.blockElements(), (long) type.blockBytes());
    if (entries.putIfAbsent(name, new Entry(type, shape, bytes, content)) != null) {
      throw new IllegalArgumentException("tensor " + name + ": the name is taken");
    }
    return this;
  }

  /**
   * Writes the file beside its final place and moves it there when it is complete, so that a file
   * of this name is never half written. A file that is there is replaced.
   *
   * @throws IOException if it cannot be written; nothing is left behind then
   * @throws IllegalStateException if a tensor's content is not as long as its shape says
   */
  public void write(Path file, Progress progress) throws IOException {
    FileReplacement.write(file, channel -> writeTo(channel, progress));
  }

  private void writeTo(FileChannel channel, Progress progress) throws IOException {
    DirectoryWriter directory = new DirectoryWriter(entries.size(), metadata);
    long size = 0;
    for (Map.Entry<String, Entry> named : entries.entrySet()) {
      Entry entry = named.getValue();
      directory.tensor(named.getKey(), entry.type, entry.shape, size);
      size = DirectoryReader.align(Math.addExact(size, entry.bytes), ALIGNMENT);
    }
    writeAll(ByteBuffer.wrap(directory.toBytes()), channel);
    pad(channel);
    long start = channel.position();
    long total = size;
    for (Map.Entry<String, Entry> named : entries.entrySet()) {
      long from = channel.position();
      named
          .getValue()
          .content
          .writeTo(
              piece -> {
                writeAll(piece, channel);
                progress.done(channel.position() - start, total);
              });
      long written = channel.position() - from;
      if (written != named.getValue().bytes) {
        throw new IllegalStateException(
            "tensor %s: expected %d bytes, got %d"
                .formatted(named.getKey(), named.getValue().bytes, written));
      }
      pad(channel);
    }
    progress.done(total, total);
  }

  private static void pad(FileChannel channel) throws IOException {
    long position = channel.position();
    int missing = (int) (DirectoryReader.align(position, ALIGNMENT) - position);
    writeAll(ByteBuffer.allocate(missing), channel);
  }

  private static void writeAll(ByteBuffer bytes, FileChannel channel) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
