package dev.gdn.model.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.file.BoundedText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * An object in a JSON file. Values are fetched with the type and range they must have; every
 * complaint names the file, the key with its path, what was found and what was expected. A key
 * whose value is null counts as absent. Keys that nobody fetches are ignored.
 */
public final class JsonObject {
  private static final long MAXIMUM_SIZE = 64L << 20;

  // Keys are data here: a table of those seen before would only serve hostile files.
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final Path file;
  private final String prefix;
  private final ObjectNode node;

  private JsonObject(Path file, String prefix, ObjectNode node) {
    this.file = file;
    this.prefix = prefix;
    this.node = node;
  }

  /**
   * Reads a file that holds one object.
   *
   * @throws CheckpointException if it is missing, cannot be read, is over 64 MiB or no JSON object
   */
  public static JsonObject read(Path file) {
    try {
      JsonNode root = MAPPER.readTree(BoundedText.read(file, MAXIMUM_SIZE));
      if (root instanceof ObjectNode object) {
        return new JsonObject(file, "", object);
      }
      throw new CheckpointException(
          file, "JSON file", "expected an object, found " + describe(root));
    } catch (JsonProcessingException failure) {
      throw new CheckpointException(file, "JSON file", JsonProblem.describe(failure), failure);
    } catch (IOException failure) {
      throw new CheckpointException(file, "JSON file", BoundedText.problem(failure), failure);
    }
  }

  /** The file it stands in. */
  public Path file() {
    return file;
  }

  /** The keys, in the order of the file. */
  public List<String> keys() {
    List<String> keys = new ArrayList<>(node.size());
    node.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  /** Whether a key is there and not null. */
  public boolean has(String key) {
    return !absent(node.get(key));
  }

  /** An object that may be there. */
  public Optional<JsonObject> object(String key) {
    JsonNode value = node.get(key);
    if (absent(value)) {
      return Optional.empty();
    }
    if (value instanceof ObjectNode object) {
      return Optional.of(new JsonObject(file, prefix + key + ".", object));
    }
    throw mismatch(key, "an object");
  }

  /** A string that may be there. */
  public Optional<String> text(String key) {
    JsonNode value = node.get(key);
    if (absent(value)) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      throw mismatch(key, "a string");
    }
    return Optional.of(value.textValue());
  }

  /** A truth value that may be there. */
  public Optional<Boolean> flag(String key) {
    JsonNode value = node.get(key);
    if (absent(value)) {
      return Optional.empty();
    }
    if (!value.isBoolean()) {
      throw mismatch(key, "true or false");
    }
    return Optional.of(value.booleanValue());
  }

  /** A whole number from {@code least} to {@code most} that may be there. */
  public OptionalInt integer(String key, int least, int most) {
    JsonNode value = node.get(key);
    if (absent(value)) {
      return OptionalInt.empty();
    }
    if (!within(value, least, most)) {
      throw mismatch(key, range(least, most));
    }
    return OptionalInt.of(value.intValue());
  }

  /** A whole number from {@code least} to {@code most} that must be there. */
  public int requireInteger(String key, int least, int most) {
    return integer(key, least, most).orElseThrow(() -> mismatch(key, range(least, most)));
  }

  /** A finite number that may be there. */
  public OptionalDouble number(String key) {
    JsonNode value = node.get(key);
    if (absent(value)) {
      return OptionalDouble.empty();
    }
    if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
      throw mismatch(key, "a number");
    }
    return OptionalDouble.of(value.doubleValue());
  }

  /** A list of strings that may be there. */
  public Optional<List<String>> texts(String key) {
    JsonNode value = node.get(key);
    if (absent(value)) {
      return Optional.empty();
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode element : elements(key, value, "a list of strings")) {
      if (!element.isTextual()) {
        throw mismatch(key + "[" + texts.size() + "]", "a string", element);
      }
      texts.add(element.textValue());
    }
    return Optional.of(texts);
  }

  /** A list of lists of strings that may be there. */
  public Optional<List<List<String>>> textLists(String key) {
    JsonNode value = node.get(key);
    if (absent(value)) {
      return Optional.empty();
    }
    List<List<String>> lists = new ArrayList<>();
    for (JsonNode element : elements(key, value, "a list of lists of strings")) {
      String place = key + "[" + lists.size() + "]";
      List<String> texts = new ArrayList<>();
      for (JsonNode text : elements(place, element, "a list of strings")) {
        if (!text.isTextual()) {
          throw mismatch(place, "a list of strings", element);
        }
        texts.add(text.textValue());
      }
      lists.add(texts);
    }
    return Optional.of(lists);
  }

  /** A list of objects that may be there. */
  public Optional<List<JsonObject>> objects(String key) {
    JsonNode value = node.get(key);
    if (absent(value)) {
      return Optional.empty();
    }
    List<JsonObject> objects = new ArrayList<>();
    for (JsonNode element : elements(key, value, "a list of objects")) {
      String place = key + "[" + objects.size() + "]";
      if (!(element instanceof ObjectNode object)) {
        throw mismatch(place, "an object", element);
      }
      objects.add(new JsonObject(file, prefix + place + ".", object));
    }
    return Optional.of(objects);
  }

  /** A list of whole numbers that may be there. */
  public Optional<List<Integer>> integers(String key, int least, int most) {
    JsonNode value = node.get(key);
    if (absent(value)) {
      return Optional.empty();
    }
    List<Integer> numbers = new ArrayList<>();
    for (JsonNode element : elements(key, value, "a list of whole numbers")) {
      if (!within(element, least, most)) {
        throw mismatch(key + "[" + numbers.size() + "]", range(least, most), element);
      }
      numbers.add(element.intValue());
    }
    return Optional.of(numbers);
  }

  /** Whether the value of a key is an object. */
  public boolean isObject(String key) {
    return node.path(key).isObject();
  }

  /** Whether the value of a key is a list. */
  public boolean isList(String key) {
    return node.path(key).isArray();
  }

  /** Whether the value of a key is a list that begins with a list. */
  public boolean isListOfLists(String key) {
    return isList(key) && node.path(key).path(0).isArray();
  }

  /** The complaint that a key has another value than expected. */
  public CheckpointException mismatch(String key, String expected) {
    return mismatch(key, expected, node.get(key));
  }

  /** A complaint about a key. */
  public CheckpointException problem(String key, String problem) {
    return new CheckpointException(file, prefix + key, problem);
  }

  private CheckpointException mismatch(String key, String expected, JsonNode found) {
    return problem(key, "expected %s, found %s".formatted(expected, describe(found)));
  }

  private JsonNode elements(String key, JsonNode value, String expected) {
    if (!value.isArray()) {
      throw mismatch(key, expected, value);
    }
    return value;
  }

  private static boolean absent(JsonNode value) {
    return value == null || value.isNull();
  }

  private static boolean within(JsonNode value, int least, int most) {
    return value.isIntegralNumber()
        && value.canConvertToInt()
        && value.intValue() >= least
        && value.intValue() <= most;
  }

  private static String range(int least, int most) {
    return "a whole number from %d to %d".formatted(least, most);
  }

  private static String describe(JsonNode value) {
    if (value == null || value.isMissingNode()) {
      return "nothing";
    }
    String text = value.toString();
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }
}
