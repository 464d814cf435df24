package dev.gdn.model.gguf;

import dev.gdn.model.error.CheckpointException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The metadata of a file, read by key with the type that is wanted. Immutable. */
public final class GgufMetadata {
  private final Path path;
  private final Map<String, GgufValue> values;

  GgufMetadata(Path path, Map<String, GgufValue> values) {
    this.path = path;
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** All values by key, in the order of the file. Unmodifiable. */
  public Map<String, GgufValue> values() {
    return values;
  }

  /**
   * A string that must be there.
   *
   * @throws CheckpointException if it is missing or something else
   */
  public String text(String key) {
    return findText(key).orElseThrow(() -> problem(key, "missing, expected a string"));
  }

  /**
   * A string that may be there.
   *
   * @throws CheckpointException if it is something else
   */
  public Optional<String> findText(String key) {
    return find(key)
        .map(
            value ->
                switch (value) {
                  case GgufValue.Text(String text) -> text;
                  default -> throw wrong(key, "a string", value);
                });
  }

  /**
   * An integer that must be there.
   *
   * @throws CheckpointException if it is missing, something else or out of range
   */
  public int whole(String key, int least, int most) {
    return findWhole(key, least, most)
        .orElseThrow(() -> problem(key, "missing, expected an integer"));
  }

  /**
   * An integer that may be there.
   *
   * @throws CheckpointException if it is something else or out of range
   */
  public Optional<Integer> findWhole(String key, int least, int most) {
    return find(key)
        .map(
            value -> {
              if (value instanceof GgufValue.Whole(GgufValueType type, long number)) {
                return inRange(key, type, number, least, most);
              }
              throw wrong(key, "an integer", value);
            });
  }

  private int inRange(String key, GgufValueType type, long number, int least, int most) {
    if (number < least || number > most) {
      throw problem(key, "expected %d to %d, found %s".formatted(least, most, shown(type, number)));
    }
    return (int) number;
  }

  /**
   * A floating-point number that must be there.
   *
   * @throws CheckpointException if it is missing, something else or not finite
   */
  public double real(String key) {
    return findReal(key).orElseThrow(() -> problem(key, "missing, expected a number"));
  }

  /**
   * A floating-point number that may be there.
   *
   * @throws CheckpointException if it is something else or not finite
   */
  public Optional<Double> findReal(String key) {
    return find(key)
        .map(
            value -> {
              if (value instanceof GgufValue.Real real && Double.isFinite(real.value())) {
                return real.value();
              }
              throw wrong(key, "a finite floating-point number", value);
            });
  }

  /**
   * A truth value that may be there.
   *
   * @throws CheckpointException if it is something else
   */
  public Optional<Boolean> findFlag(String key) {
    return find(key)
        .map(
            value ->
                switch (value) {
                  case GgufValue.Flag(boolean flag) -> flag;
                  default -> throw wrong(key, "true or false", value);
                });
  }

  /**
   * An array that must be there.
   *
   * @throws CheckpointException if it is missing or something else
   */
  public GgufArray array(String key) {
    return findArray(key).orElseThrow(() -> problem(key, "missing, expected an array"));
  }

  /**
   * An array that may be there.
   *
   * @throws CheckpointException if it is something else
   */
  public Optional<GgufArray> findArray(String key) {
    return find(key)
        .map(
            value ->
                switch (value) {
                  case GgufValue.Items(GgufArray items) -> items;
                  default -> throw wrong(key, "an array", value);
                });
  }

  /**
   * The elements of an array of strings that must be there.
   *
   * @throws CheckpointException if it is missing or something else
   */
  public List<String> strings(String key) {
    GgufArray array = array(key);
    if (array.elementType() != GgufValueType.STRING) {
      throw problem(key, "expected an array of STRING, found one of " + array.elementType());
    }
    return array.strings();
  }

  /**
   * The elements of an array of integers that may be there.
   *
   * @throws CheckpointException if it is something else
   */
  public Optional<long[]> findWholes(String key) {
    return findArray(key)
        .map(
            array ->
                switch (array.elementType()) {
                  case FLOAT32, FLOAT64, BOOL, STRING, ARRAY ->
                      throw problem(
                          key,
                          "expected an array of integers, found one of " + array.elementType());
                  default -> array.longs();
                });
  }

  /**
   * The elements of an array of truth values that may be there.
   *
   * @throws CheckpointException if it is something else
   */
  public Optional<boolean[]> findFlags(String key) {
    return findArray(key)
        .map(
            array -> {
              if (array.elementType() != GgufValueType.BOOL) {
                throw problem(
                    key, "expected an array of BOOL, found one of " + array.elementType());
              }
              return array.booleans();
            });
  }

  private Optional<GgufValue> find(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /** A value of this file that cannot be used. */
  public CheckpointException problem(String key, String problem) {
    return new CheckpointException(path, key, problem);
  }

  private CheckpointException wrong(String key, String expected, GgufValue found) {
    return problem(key, "expected %s, found %s".formatted(expected, shown(found)));
  }

  private static String shown(GgufValue value) {
    return switch (value) {
      case GgufValue.Whole(GgufValueType type, long number) -> type + " " + shown(type, number);
      case GgufValue.Real(GgufValueType type, double number) -> type + " " + number;
      case GgufValue.Flag(boolean flag) -> "BOOL " + flag;
      case GgufValue.Text(String text) -> "STRING \"" + text + '"';
      case GgufValue.Items _ -> "an array";
    };
  }

  private static String shown(GgufValueType type, long number) {
    return type == GgufValueType.UINT64 ? Long.toUnsignedString(number) : Long.toString(number);
  }
}
