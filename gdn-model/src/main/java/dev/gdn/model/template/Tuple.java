package dev.gdn.model.template;

import java.util.List;

/**
 * Python's tuple: a list of its own type, which prints with parentheses.
 *
 * @param names of the items, as attributes have them; none if they have no names
 */
record Tuple(List<Object> items, List<String> names) {
  Tuple(List<Object> items) {
    this(items, List.of());
  }

  static Tuple of(Object... items) {
    return new Tuple(List.of(items));
  }
}
