package dev.gdn.model.safetensors;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.file.FileReplacement;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes a safetensors file. Arrays are not copied when added and must stay unchanged until they
 * are written. For one thread at a time.
 */
public final class SafetensorsWriter {
  private static final int BUFFER = 1 << 16;

  private static final ValueLayout FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Map<String, String> metadata = new LinkedHashMap<>();
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /** A tensor to write: elements as they lie in memory, and as they shall lie in the file. */
  private record Entry(
      String name,
      SafetensorsType type,
      Shape shape,
      MemorySegment data,
      ValueLayout memory,
      ValueLayout stored) {}

  /** A file without tensors. */
  public SafetensorsWriter() {}

  /** Adds a line of free text to the header. */
  public SafetensorsWriter metadata(String key, String value) {
    metadata.put(key, value);
    return this;
  }

  /**
   * Adds an F32 tensor.
   *
   * @throws IllegalArgumentException if the name is taken or the shape does not fit the values
   */
  public SafetensorsWriter add(String name, Shape shape, float[] values) {
    MemorySegment data = MemorySegment.ofArray(values);
    return add(new Entry(name, SafetensorsType.F32, shape, data, ValueLayout.JAVA_FLOAT, FLOAT));
  }

  /**
   * Adds an I32 tensor.
   *
   * @throws IllegalArgumentException if the name is taken or the shape does not fit the values
   */
  public SafetensorsWriter add(String name, Shape shape, int[] values) {
    MemorySegment data = MemorySegment.ofArray(values);
    return add(new Entry(name, SafetensorsType.I32, shape, data, ValueLayout.JAVA_INT, INT));
  }

  /**
   * Adds an I64 tensor.
   *
   * @throws IllegalArgumentException if the name is taken or the shape does not fit the values
   */
  public SafetensorsWriter add(String name, Shape shape, long[] values) {
    MemorySegment data = MemorySegment.ofArray(values);
    return add(new Entry(name, SafetensorsType.I64, shape, data, ValueLayout.JAVA_LONG, LONG));
  }

  /**
   * Adds a tensor of any type.
   *
   * @param data its bytes, little-endian
   * @throws IllegalArgumentException if the name is taken or the shape does not fit the bytes
   */
  public SafetensorsWriter add(String name, SafetensorsType type, Shape shape, MemorySegment data) {
    ValueLayout bytes = ValueLayout.JAVA_BYTE;
    return add(new Entry(name, type, shape, data, bytes, bytes));
  }

  private SafetensorsWriter add(Entry entry) {
    long expected = Math.multiplyExact(entry.shape.elements(), (long) entry.type.bytes());
    if (entry.data.byteSize() != expected) {
      throw new IllegalArgumentException(
          "tensor %s: %s %s takes %d bytes, got %d"
              .formatted(entry.name, entry.type, entry.shape, expected, entry.data.byteSize()));
    }
    if (entry.name.equals("__metadata__") || entries.putIfAbsent(entry.name, entry) != null) {
      throw new IllegalArgumentException("tensor " + entry.name + ": the name is taken");
    }
    return this;
  }

  /**
   * Writes the file beside its final place and moves it there when it is complete, so that a file
   * of this name is never half written. A file that is there is replaced.
   *
   * @throws IOException if it cannot be written; nothing is left behind then
   */
  public void write(Path file) throws IOException {
    // Larger elements go first: with a header of a multiple of 8 bytes each tensor is aligned.
    List<Entry> ordered = new ArrayList<>(entries.values());
    ordered.sort(Comparator.comparingInt((Entry e) -> e.type.bytes()).reversed());
    FileReplacement.write(
        file,
        channel -> {
          ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
          writeHeader(ordered, channel);
          for (Entry entry : ordered) {
            writeData(entry, buffer, channel);
          }
        });
  }

  private void writeHeader(List<Entry> ordered, FileChannel channel) throws IOException {
    byte[] json = header(ordered);
    int padded = Math.ceilDiv(json.length, 8) * 8;
    ByteBuffer header =
        ByteBuffer.allocate(SafetensorsFile.PREFIX + padded).order(ByteOrder.LITTLE_ENDIAN);
    header.putLong(padded).put(json);
    while (header.hasRemaining()) {
      header.put((byte) ' ');
    }
    writeAll(header.flip(), channel);
  }

  private byte[] header(List<Entry> ordered) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
      json.writeStartObject();
      if (!metadata.isEmpty()) {
        json.writeObjectFieldStart("__metadata__");
        for (Map.Entry<String, String> line : metadata.entrySet()) {
          json.writeStringField(line.getKey(), line.getValue());
        }
        json.writeEndObject();
      }
      long position = 0;
      for (Entry entry : ordered) {
        long end = Math.addExact(position, entry.data.byteSize());
        json.writeObjectFieldStart(entry.name);
        json.writeStringField("dtype", entry.type.name());
        json.writeFieldName("shape");
        json.writeArray(entry.shape.dimensions(), 0, entry.shape.rank());
        json.writeFieldName("data_offsets");
        json.writeArray(new long[] {position, end}, 0, 2);
        json.writeEndObject();
        position = end;
      }
      json.writeEndObject();
    }
    return bytes.toByteArray();
  }

  private static void writeData(Entry entry, ByteBuffer buffer, FileChannel channel)
      throws IOException {
    MemorySegment target = MemorySegment.ofBuffer(buffer.clear());
    long size = entry.data.byteSize();
    for (long from = 0; from < size; from += BUFFER) {
      int count = (int) Math.min(BUFFER, size - from);
      long elements = count / entry.stored.byteSize();
      MemorySegment.copy(entry.data, entry.memory, from, target, entry.stored, 0, elements);
      writeAll(buffer.clear().limit(count), channel);
    }
  }

  private static void writeAll(ByteBuffer bytes, FileChannel channel) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
