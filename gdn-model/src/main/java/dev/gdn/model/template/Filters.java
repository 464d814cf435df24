package dev.gdn.model.template;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What stands behind a bar. */
final class Filters {
  /** Makes a value of another. */
  @FunctionalInterface
  interface Filter {
    Object apply(Object value, Arguments arguments, Context context);
  }

  private static final Map<String, Filter> FILTERS =
      Stream.of(
              TextFilters.ALL,
              SequenceFilters.ALL,
              OrderFilters.ALL,
              SelectionFilters.ALL,
              ScalarFilters.ALL)
          .flatMap(filters -> filters.entrySet().stream())
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

  private Filters() {}

  static Object apply(String name, Object value, Arguments arguments, Context context) {
    Filter filter = FILTERS.get(name);
    if (filter == null) {
      throw new Problem("No filter named '" + name + "'.");
    }
    if (value instanceof String text) {
      context.budget().read(text);
    }
    return filter.apply(value, arguments, context);
  }
}
