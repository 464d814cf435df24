package dev.gdn.model.template;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The arguments of a call, by place and by name. */
record Arguments(List<Object> positional, Map<String, Object> named) {
  static final Arguments NONE = new Arguments(List.of(), Map.of());

  /** Stands for an argument that was not given. */
  private static final Object ABSENT = new Object();

  /**
   * Assigns the arguments to parameters.
   *
   * @param function how messages call what is called
   * @param parameters names, in order
   */
  Bound bind(String function, String... parameters) {
    if (positional.size() > parameters.length) {
      throw new Problem(
          "%s takes at most %d arguments, %d given"
              .formatted(function, parameters.length, positional.size()));
    }
    Object[] values = new Object[parameters.length];
    Arrays.fill(values, ABSENT);
    for (int i = 0; i < positional.size(); i++) {
      values[i] = positional.get(i);
    }
    List<String> names = List.of(parameters);
    named.forEach(
        (name, value) -> {
          int place = names.indexOf(name);
          if (place < 0) {
            throw new Problem(
                "%s got an unexpected keyword argument '%s'".formatted(function, name));
          }
          if (values[place] != ABSENT) {
            throw new Problem("%s got two values for argument '%s'".formatted(function, name));
          }
          values[place] = value;
        });
    return new Bound(function, names, values);
  }

  /** The arguments without the first by place. */
  Arguments tail() {
    return new Arguments(positional.subList(1, positional.size()), named);
  }

  /** Arguments by the place of their parameter. */
  static final class Bound {
    private final String function;
    private final List<String> names;
    private final Object[] values;

    private Bound(String function, List<String> names, Object[] values) {
      this.function = function;
      this.names = names;
      this.values = values;
    }

    boolean has(int place) {
      return values[place] != ABSENT;
    }

    Object get(int place) {
      if (!has(place)) {
        throw new Problem("%s: missing argument '%s'".formatted(function, names.get(place)));
      }
      return values[place];
    }

    Object get(int place, Object otherwise) {
      return has(place) ? values[place] : otherwise;
    }

    String text(int place) {
      if (get(place) instanceof String text) {
        return text;
      }
      throw mismatch(place, "a string");
    }

    String text(int place, String otherwise) {
      return has(place) ? text(place) : otherwise;
    }

    /**
     * A whole number within the range of {@code int}; what lies outside becomes its nearest end.
     */
    int whole(int place) {
      return switch (get(place)) {
        case Long number -> Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
        case Boolean flag -> flag ? 1 : 0;
        case null, default -> throw mismatch(place, "a whole number");
      };
    }

    int whole(int place, int otherwise) {
      return has(place) ? whole(place) : otherwise;
    }

    boolean flag(int place, boolean otherwise) {
      return has(place) ? Values.isTrue(values[place]) : otherwise;
    }

    private Problem mismatch(int place, String expected) {
      return new Problem(
          "%s: argument '%s': expected %s, found %s"
              .formatted(function, names.get(place), expected, Values.typeName(get(place))));
    }
  }
}
