package dev.gdn.model.template;

import dev.gdn.model.json.JsonProblem;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Copies what a template is given to values of its own, and counts it. */
final class Input {
  /** Levels of nesting; less than a rendering may have, which begins at some level itself. */
  private static final int DEPTH = 200;

  /** Characters of a place that a message shows: keys may be long. */
  private static final int LONGEST_PLACE = 200;

  private long values;
  private long characters;

  /** Keys, and numbers in lists, from a variable's name to the value that is being copied. */
  private final Deque<Object> path = new ArrayDeque<>();

  /** Values and characters that were copied. */
  Budget budget() {
    return Budget.forInput(values, characters);
  }

  /**
   * @throws IllegalArgumentException if something in it is no JSON value, or nested too deeply
   */
  Map<String, Object> copy(Map<String, ?> variables) {
    Map<String, Object> copy = new LinkedHashMap<>();
    variables.forEach((name, value) -> copy.put(name, copy(name, value)));
    return copy;
  }

  /** Copies what stands under a key, or a number, of what is being copied. */
  private Object copy(Object key, Object value) {
    path.addLast(key);
    if (path.size() > DEPTH + 1) {
      throw problem("at most %d levels of nesting".formatted(DEPTH));
    }
    Object copy = copyOf(value);
    path.removeLast();
    return copy;
  }

  private Object copyOf(Object value) {
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
          copy.add(copy(copy.size(), item));
        }
        yield copy;
      }
      case Map<?, ?> map -> {
        Map<Object, Object> copy = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          if (!(entry.getKey() instanceof String key)) {
            throw problem("strings as keys, found " + JsonProblem.shown(entry.getKey()));
          }
          characters += key.length();
          copy.put(key, copy(key, entry.getValue()));
        }
        yield copy;
      }
      default ->
          throw problem(
              "what JSON has: text, numbers, truth values, lists or maps; found "
                  + value.getClass().getName());
    };
  }

  private IllegalArgumentException problem(String expected) {
    return new IllegalArgumentException("%s: expected %s".formatted(place(), expected));
  }

  // Made only where a message needs it: one for each value would copy long keys again and again.
  private String place() {
    StringBuilder place = new StringBuilder();
    for (Object step : path) {
      if (step instanceof Integer number) {
        place.append('[').append(number).append(']');
      } else {
        place.append(place.isEmpty() ? "" : ".").append(step);
      }
      if (place.length() > LONGEST_PLACE) {
        return place.substring(0, LONGEST_PLACE) + "…";
      }
    }
    return place.toString();
  }
}
