package dev.gdn.model.template;

import java.util.List;

/** Python's tuple: a list of its own type, which prints with parentheses. */
record Tuple(List<Object> items) {
  static Tuple of(Object... items) {
    return new Tuple(List.of(items));
  }
}
