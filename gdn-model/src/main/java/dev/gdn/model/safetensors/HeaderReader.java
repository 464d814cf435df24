package dev.gdn.model.safetensors;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.json.JsonProblem;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and checks the JSON header of a safetensors file. It goes from token to token, not through
 * a tree, so that a hostile header of many small values takes little memory.
 */
final class HeaderReader {
  private static final String METADATA = "__metadata__";
  private static final int MAXIMUM_RANK = 64;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .build();

  private final Path file;
  private final MemorySegment data;
  private final Map<String, String> metadata = new LinkedHashMap<>();
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /** A tensor as the header describes it; offsets count from the end of the header. */
  private record Entry(String name, SafetensorsType type, Shape shape, long begin, long end) {}

  /**
   * @param file for messages
   * @param data all bytes after the header
   */
  HeaderReader(Path file, MemorySegment data) {
    this.file = file;
    this.data = data;
  }

  Header read(byte[] json) {
    try (JsonParser parser = JSON.createParser(decode(json))) {
      readEntries(parser);
    } catch (JsonProcessingException failure) {
      throw new CheckpointException(file, "header", JsonProblem.describe(failure), failure);
    } catch (IOException failure) {
      throw new CheckpointException(file, "header", "cannot be read: " + failure, failure);
    }
    checkLayout();
    Map<String, SafetensorsTensor> tensors = new LinkedHashMap<>();
    for (Entry e : entries.values()) {
      MemorySegment bytes = data.asSlice(e.begin, e.end - e.begin);
      tensors.put(e.name, new SafetensorsTensor(file, e.name, e.type, e.shape, bytes));
    }
    return new Header(metadata, tensors);
  }

  private String decode(byte[] json) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json)).toString();
    } catch (CharacterCodingException failure) {
      throw new CheckpointException(file, "header", "expected UTF-8, found other bytes", failure);
    }
  }

  private void readEntries(JsonParser parser) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw problem("header", "expected a JSON object, found " + describe(parser));
    }
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      if (name.equals(METADATA)) {
        readMetadata(parser);
      } else {
        entries.put(name, readEntry(parser, name));
      }
    }
    if (parser.nextToken() != null) {
      throw problem("header", "expected its end, found " + describe(parser));
    }
  }

  private void readMetadata(JsonParser parser) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw problem(METADATA, "expected an object, found " + describe(parser));
    }
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      if (parser.nextToken() != JsonToken.VALUE_STRING) {
        throw problem(METADATA + "." + key, "expected a string, found " + describe(parser));
      }
      metadata.put(key, parser.getText());
    }
  }

  private Entry readEntry(JsonParser parser, String name) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw tensorProblem(name, "expected an object, found " + describe(parser));
    }
    SafetensorsType type = null;
    long[] shape = null;
    long[] offsets = null;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      parser.nextToken();
      switch (key) {
        case "dtype" -> type = readType(parser, name);
        case "shape" -> shape = readNumbers(parser, name, key);
        case "data_offsets" -> offsets = readNumbers(parser, name, key);
        default ->
            throw tensorProblem(
                name, "expected dtype, shape and data_offsets, found key " + shorten(key));
      }
    }
    require(name, "dtype", type);
    require(name, "shape", shape);
    require(name, "data_offsets", offsets);
    return checked(name, type, shape, offsets);
  }

  private void require(String name, String key, Object value) {
    if (value == null) {
      throw tensorProblem(name, key + " is missing");
    }
  }

  private SafetensorsType readType(JsonParser parser, String name) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      for (SafetensorsType type : SafetensorsType.values()) {
        if (type.name().equals(parser.getText())) {
          return type;
        }
      }
    }
    throw tensorProblem(
        name,
        "dtype: expected one of %s, found %s"
            .formatted(Arrays.toString(SafetensorsType.values()), describe(parser)));
  }

  private long[] readNumbers(JsonParser parser, String name, String key) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw tensorProblem(name, key + ": expected an array, found " + describe(parser));
    }
    long[] numbers = new long[MAXIMUM_RANK];
    int count = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (count == MAXIMUM_RANK) {
        throw tensorProblem(name, "%s: expected at most %d numbers".formatted(key, MAXIMUM_RANK));
      }
      boolean whole =
          parser.currentToken() == JsonToken.VALUE_NUMBER_INT
              && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
      if (!whole || parser.getLongValue() < 0) {
        throw tensorProblem(
            name,
            "%s: expected whole numbers from 0 to 2^63 - 1, found %s"
                .formatted(key, describe(parser)));
      }
      numbers[count++] = parser.getLongValue();
    }
    return Arrays.copyOf(numbers, count);
  }

  private Entry checked(String name, SafetensorsType type, long[] dimensions, long[] offsets) {
    if (offsets.length != 2 || offsets[0] > offsets[1] || offsets[1] > data.byteSize()) {
      throw tensorProblem(
          name,
          "data_offsets: expected a begin and an end within %d bytes of data, found %s"
              .formatted(data.byteSize(), Arrays.toString(offsets)));
    }
    Shape shape;
    long bytes;
    try {
      shape = new Shape(dimensions);
      bytes = Math.multiplyExact(shape.elements(), (long) type.bytes());
    } catch (IllegalArgumentException | ArithmeticException overflow) {
      throw new CheckpointException(
          file,
          "tensor " + name,
          "shape: expected at most 2^63 - 1 bytes, found " + Arrays.toString(dimensions),
          overflow);
    }
    if (bytes != offsets[1] - offsets[0]) {
      throw tensorProblem(
          name,
          "%s %s takes %d bytes, but data_offsets %s hold %d"
              .formatted(type, shape, bytes, Arrays.toString(offsets), offsets[1] - offsets[0]));
    }
    return new Entry(name, type, shape, offsets[0], offsets[1]);
  }

  /** The tensors must fill the data: no two share a byte, and no byte is left over. */
  private void checkLayout() {
    List<Entry> ordered = new ArrayList<>(entries.values());
    ordered.sort(Comparator.comparingLong(Entry::begin).thenComparingLong(Entry::end));
    long position = 0;
    String before = "the header";
    for (Entry e : ordered) {
      if (e.begin != position) {
        throw tensorProblem(
            e.name,
            "data_offsets: expected a begin at %d, the end of %s, found %d: %s"
                .formatted(
                    position, before, e.begin, e.begin < position ? "they overlap" : "a hole"));
      }
      position = e.end;
      before = "tensor " + e.name;
    }
    if (position != data.byteSize()) {
      throw problem(
          "data",
          "expected %d bytes, the end of %s, found %d"
              .formatted(position, before, data.byteSize()));
    }
  }

  private CheckpointException tensorProblem(String name, String problem) {
    return problem("tensor " + shorten(name), problem);
  }

  private CheckpointException problem(String subject, String problem) {
    return new CheckpointException(file, subject, problem);
  }

  private static String describe(JsonParser parser) throws IOException {
    return parser.currentToken() == null ? "nothing" : shorten(parser.getText());
  }

  private static String shorten(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }
}
