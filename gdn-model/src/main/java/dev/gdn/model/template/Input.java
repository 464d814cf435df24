package dev.gdn.model.template;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Copies what a template is given to values of its own, and counts it. */
final class Input {
  /** Levels of nesting; less than a rendering may have, which begins at some level itself. */
  private static final int DEPTH = 200;

  private long values;
  private long characters;

  /** Values and characters that were copied. */
  Budget budget() {
    return Budget.forInput(values, characters);
  }

  /**
   * @throws IllegalArgumentException if something in it is no JSON value, or nested too deeply
   */
  Map<String, Object> copy(Map<String, ?> variables) {
    Map<String, Object> copy = new LinkedHashMap<>();
    variables.forEach((name, value) -> copy.put(name, copy(name, value, 0)));
    return copy;
  }

  private Object copy(String place, Object value, int depth) {
    if (depth > DEPTH) {
      throw new IllegalArgumentException(
          "%s: expected at most %d levels of nesting".formatted(start(place), DEPTH));
    }
    values++;
    return switch (value) {
      case null -> null;
      case String text -> {
        characters += text.length();
        yield text;
      }
      case Boolean _, Long _, Double _ -> value;
      case BigInteger number ->
          number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
      case Integer _, Short _, Byte _ -> ((Number) value).longValue();
      case Float number -> number.doubleValue();
      case Collection<?> items -> {
        List<Object> copy = new ArrayList<>(items.size());
        for (Object item : items) {
          copy.add(copy(place + "[" + copy.size() + "]", item, depth + 1));
        }
        yield copy;
      }
      case Map<?, ?> map -> {
        Map<Object, Object> copy = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          if (!(entry.getKey() instanceof String key)) {
            throw new IllegalArgumentException(
                "%s: expected strings as keys, found %s".formatted(start(place), entry.getKey()));
          }
          characters += key.length();
          copy.put(key, copy(place + "." + key, entry.getValue(), depth + 1));
        }
        yield copy;
      }
      default ->
          throw new IllegalArgumentException(
              "%s: expected what JSON has: text, numbers, truth values, lists or maps; found %s"
                  .formatted(start(place), value.getClass().getName()));
    };
  }

  private static String start(String place) {
    return place.length() <= 200 ? place : place.substring(0, 200) + "…";
  }
}
