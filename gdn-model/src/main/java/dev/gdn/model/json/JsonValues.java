package dev.gdn.model.json;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Values that JSON can write and nothing behind it can take. */
public final class JsonValues {
  private JsonValues() {}

  /**
   * Refuses halves of surrogate pairs, which no encoding has, and numbers such as 1e999, which
   * would become infinities.
   *
   * @param place names the value in messages
   * @param value text, a number, a truth value, null, or a list or map of these, nested no deeper
   *     than a parser with a limit lets it
   * @throws IllegalArgumentException naming the place of the first one
   */
  public static void require(String place, Object value) {
    String fault = fault(value);
    if (fault != null) {
      throw new IllegalArgumentException(place + fault);
    }
  }

  // Where in a value the first one is, and what; or null. Places are put together for a fault
  // alone.
  private static String fault(Object value) {
    return switch (value) {
      case String text -> isUnicode(text) ? null : halfOf("");
      case Double number when number.isInfinite() -> ": a number is too large";
      case List<?> items -> {
        for (int i = 0; i < items.size(); i++) {
          String within = fault(items.get(i));
          if (within != null) {
            yield "[" + i + "]" + within;
          }
        }
        yield null;
      }
      case Map<?, ?> object -> {
        for (Map.Entry<?, ?> entry : object.entrySet()) {
          if (!isUnicode((String) entry.getKey())) {
            yield halfOf(": a key");
          }
          String within = fault(entry.getValue());
          if (within != null) {
            yield ": " + entry.getKey() + within;
          }
        }
        yield null;
      }
      case null, default -> null;
    };
  }

  private static String halfOf(String place) {
    return place + ": expected Unicode text, found half of a surrogate pair";
  }

  private static boolean isUnicode(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }
}
