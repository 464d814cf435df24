package dev.gdn.model.json;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Texts in JSON values. */
public final class JsonText {
  private JsonText() {}

  /**
   * Refuses halves of surrogate pairs, which JSON can write as escapes and no encoding can.
   *
   * @param place names the value in messages
   * @param value text, a number, a truth value, null, or a list or map of these, nested no deeper
   *     than a parser with a limit lets it
   * @throws IllegalArgumentException naming the place of the first one
   */
  public static void requireUnicode(String place, Object value) {
    String within = fault(value);
    if (within != null) {
      throw new IllegalArgumentException(
          place + within + ": expected Unicode text, found half of a surrogate pair");
    }
  }

  // Where in a value the first one is, or null. Places are put together for a fault alone.
  private static String fault(Object value) {
    return switch (value) {
      case String text -> isUnicode(text) ? null : "";
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
            yield ": a key";
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

  private static boolean isUnicode(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }
}
