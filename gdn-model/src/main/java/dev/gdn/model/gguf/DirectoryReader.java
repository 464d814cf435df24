package dev.gdn.model.gguf;

import dev.gdn.core.tensor.Shape;
import dev.gdn.model.error.CheckpointException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and checks the header, the metadata and the directory of tensors of a file. */
final class DirectoryReader {
  /** The bytes "GGUF" as a little-endian number. */
  static final int MAGIC = 0x46554747;

  static final String ALIGNMENT = "general.alignment";
  static final int DEFAULT_ALIGNMENT = 32;

  private static final int LONGEST_NAME = 65_535;
  private static final int LONGEST_STRING = 1 << 24;
  static final int MAXIMUM_RANK = 4;

  /** Fewest bytes of a key and value: an empty key, a type and one byte. */
  private static final int ENTRY = 8 + 4 + 1;

  /** Fewest bytes of a tensor's entry: an empty name, a rank, one dimension, a type, an offset. */
  private static final int TENSOR = 8 + 4 + 8 + 4 + 8;

  private final Path path;
  private final MemorySegment file;
  private final Cursor cursor;

  /** A tensor as the directory describes it; the offset counts from the start of the data. */
  private record Entry(String name, GgmlType type, Shape shape, long offset, long bytes) {}

  DirectoryReader(Path path, MemorySegment file) {
    this.path = path;
    this.file = file;
    this.cursor = new Cursor(path, file);
  }

  Directory read() {
    int magic = cursor.int32("magic");
    if (magic != MAGIC) {
      throw cursor.problem(
          "magic", "expected the bytes GGUF, found %08x".formatted(Integer.reverseBytes(magic)));
    }
    int version = version();
    int tensorCount = cursor.count("tensors", TENSOR);
    int entryCount = cursor.count("metadata", ENTRY);
    Map<String, GgufValue> metadata = new LinkedHashMap<>();
    for (int i = 0; i < entryCount; i++) {
      String key = cursor.string("metadata key " + i, LONGEST_NAME);
      if (metadata.put(key, value(key)) != null) {
        throw cursor.problem(shorten(key), "expected one value, found the key twice");
      }
    }
    Map<String, Entry> entries = new LinkedHashMap<>();
    for (int i = 0; i < tensorCount; i++) {
      Entry entry = entry(i);
      if (entries.put(entry.name, entry) != null) {
        throw cursor.problem(subject(entry.name), "expected one, found the name twice");
      }
    }
    return new Directory(
        version,
        new GgufMetadata(path, metadata),
        lay(new ArrayList<>(entries.values()), metadata));
  }

  private int version() {
    int version = cursor.int32("version");
    if (version != 2 && version != 3) {
      boolean swapped = version != 0 && (version & 0xFFFF) == 0;
      throw cursor.problem(
          "version",
          "expected 2 or 3, found %s%s"
              .formatted(
                  Integer.toUnsignedString(swapped ? Integer.reverseBytes(version) : version),
                  swapped ? " in a big-endian file" : ""));
    }
    return version;
  }

  private GgufValue value(String key) {
    String subject = shorten(key);
    GgufValueType type = valueType(subject);
    return switch (type) {
      case UINT8 -> new GgufValue.Whole(type, cursor.int8(subject) & 0xFF);
      case INT8 -> new GgufValue.Whole(type, cursor.int8(subject));
      case UINT16 -> new GgufValue.Whole(type, cursor.int16(subject) & 0xFFFF);
      case INT16 -> new GgufValue.Whole(type, cursor.int16(subject));
      case UINT32 -> new GgufValue.Whole(type, cursor.int32(subject) & 0xFFFF_FFFFL);
      case INT32 -> new GgufValue.Whole(type, cursor.int32(subject));
      case UINT64, INT64 -> new GgufValue.Whole(type, cursor.int64(subject));
      case FLOAT32 -> new GgufValue.Real(type, Float.intBitsToFloat(cursor.int32(subject)));
      case FLOAT64 -> new GgufValue.Real(type, Double.longBitsToDouble(cursor.int64(subject)));
      case BOOL -> new GgufValue.Flag(checkBool(cursor.int8(subject), subject));
      case STRING -> new GgufValue.Text(cursor.string(subject, LONGEST_STRING));
      case ARRAY -> new GgufValue.Items(array(subject));
    };
  }

  private boolean checkBool(byte value, String subject) {
    if (value != 0 && value != 1) {
      throw cursor.problem(subject, "expected 0 or 1 for a BOOL, found " + value);
    }
    return value == 1;
  }

  private GgufValueType valueType(String subject) {
    int id = cursor.int32(subject);
    return GgufValueType.of(id)
        .orElseThrow(
            () ->
                cursor.problem(
                    subject,
                    "value type: expected 0 to %d, found %s"
                        .formatted(
                            GgufValueType.values().length - 1, Integer.toUnsignedString(id))));
  }

  // GGML's own reader knows no arrays of arrays either.
  private GgufArray array(String subject) {
    GgufValueType type = valueType(subject);
    if (type == GgufValueType.ARRAY) {
      throw cursor.problem(subject, "expected an array of values, found one of arrays");
    }
    int count = cursor.count(subject, type.minimumBytes());
    MemorySegment data = cursor.skip(type, count, subject, LONGEST_STRING);
    for (int i = 0; type == GgufValueType.BOOL && i < count; i++) {
      checkBool(data.get(ValueLayout.JAVA_BYTE, i), subject);
    }
    return new GgufArray(type, count, data);
  }

  private Entry entry(int index) {
    String name = cursor.string("name of tensor " + index, LONGEST_NAME);
    String subject = subject(name);
    int rank = cursor.int32(subject);
    if (rank < 1 || rank > MAXIMUM_RANK) {
      throw cursor.problem(
          subject,
          "dimensions: expected 1 to %d, found %s"
              .formatted(MAXIMUM_RANK, Integer.toUnsignedString(rank)));
    }
    // The file has the innermost dimension first.
    long[] dimensions = new long[rank];
    for (int i = rank - 1; i >= 0; i--) {
      dimensions[i] = cursor.int64(subject);
    }
    int id = cursor.int32(subject);
    GgmlType type =
        GgmlType.of(id)
            .orElseThrow(
                () ->
                    cursor.problem(
                        subject,
                        "type: expected a known one, found number "
                            + Integer.toUnsignedString(id)));
    long offset = cursor.int64(subject);
    Shape shape = shape(subject, dimensions);
    return new Entry(name, type, shape, offset, bytes(subject, type, shape));
  }

  private Shape shape(String subject, long[] dimensions) {
    try {
      return new Shape(dimensions);
    } catch (IllegalArgumentException overflow) {
      throw new CheckpointException(
          path,
          subject,
          "dimensions: expected sizes of at least 0 and at most 2^63 - 1 elements, found "
              + Arrays.toString(dimensions),
          overflow);
    }
  }

  private long bytes(String subject, GgmlType type, Shape shape) {
    long row = shape.dimension(shape.rank() - 1);
    if (row % type.blockElements() != 0) {
      throw cursor.problem(
          subject,
          "expected rows of a multiple of %d elements for %s, found %s"
              .formatted(type.blockElements(), type, shape));
    }
    try {
      return Math.multiplyExact(shape.elements() / type.blockElements(), (long) type.blockBytes());
    } catch (ArithmeticException overflow) {
      throw new CheckpointException(
          path,
          subject,
          "expected at most 2^63 - 1 bytes, found %s %s".formatted(type, shape),
          overflow);
    }
  }

  /** Tensors follow one another, each at the next multiple of the alignment. */
  private Map<String, GgufTensor> lay(List<Entry> entries, Map<String, GgufValue> metadata) {
    long alignment = alignment(metadata);
    long start = align(cursor.position(), alignment);
    long room = file.byteSize() - start;
    if (room < 0 && !entries.isEmpty()) {
      throw cursor.problem(
          "data",
          "expected at byte %d, found the end of the file at %d".formatted(start, file.byteSize()));
    }
    Map<String, GgufTensor> tensors = new LinkedHashMap<>();
    long expected = 0;
    for (Entry e : entries) {
      if (e.offset != expected) {
        throw cursor.problem(
            subject(e.name),
            "offset: expected %d, found %s".formatted(expected, Long.toUnsignedString(e.offset)));
      }
      if (e.offset > room || e.bytes > room - e.offset) {
        throw cursor.problem(
            subject(e.name),
            "expected %d bytes from %d on, found the end of the file at %d"
                .formatted(e.bytes, start + e.offset, file.byteSize()));
      }
      MemorySegment data = file.asSlice(start + e.offset, e.bytes).asReadOnly();
      tensors.put(e.name, new GgufTensor(path, e.name, e.type, e.shape, data));
      expected = align(e.offset + e.bytes, alignment);
    }
    return tensors;
  }

  private long alignment(Map<String, GgufValue> metadata) {
    GgufValue value = metadata.get(ALIGNMENT);
    if (value == null) {
      return DEFAULT_ALIGNMENT;
    }
    if (value instanceof GgufValue.Whole(GgufValueType type, long alignment)
        && type == GgufValueType.UINT32
        && Long.bitCount(alignment) == 1) {
      return alignment;
    }
    throw cursor.problem(ALIGNMENT, "expected a power of two as UINT32, found " + value);
  }

  /** The next multiple of a power of two. No file is long enough for it to overflow. */
  static long align(long position, long alignment) {
    return position + alignment - 1 & -alignment;
  }

  private static String subject(String name) {
    return "tensor " + shorten(name);
  }

  private static String shorten(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }
}
