package dev.gdn.model.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Filters that apply a test or a filter to every element. */
final class SelectionFilters {
  static final Map<String, Filters.Filter> ALL =
      Map.of(
          "map", SelectionFilters::map,
          "select", (value, arguments, context) -> select(value, arguments, context, false, true),
          "reject", (value, arguments, context) -> select(value, arguments, context, false, false),
          "selectattr",
              (value, arguments, context) -> select(value, arguments, context, true, true),
          "rejectattr",
              (value, arguments, context) -> select(value, arguments, context, true, false));

  private SelectionFilters() {}

  private static Object map(Object value, Arguments arguments, Context context) {
    List<Object> mapped = new ArrayList<>();
    if (arguments.positional().isEmpty()) {
      Arguments.Bound bound = arguments.bind("map", "attribute", "default");
      AttributePath path = AttributePath.of(bound.get(0));
      for (Object element : elements(value, context)) {
        mapped.add(path.value(element, bound.get(1, null), context));
      }
      return mapped;
    }
    String filter = name("map", arguments);
    for (Object element : elements(value, context)) {
      mapped.add(Filters.apply(filter, element, arguments.tail(), context));
    }
    return mapped;
  }

  /** What is false, such as none, has no elements here. */
  private static List<Object> elements(Object value, Context context) {
    return Values.isTrue(value) ? Values.elements(value, context.budget()) : List.of();
  }

  /** The elements, or those whose attribute, that pass a test or fail it. */
  private static Object select(
      Object value, Arguments arguments, Context context, boolean byAttribute, boolean passing) {
    AttributePath path = new AttributePath(List.of());
    Arguments rest = arguments;
    if (byAttribute) {
      if (arguments.positional().isEmpty()) {
        throw new Problem("Missing parameter for attribute name");
      }
      path = AttributePath.of(arguments.positional().getFirst());
      rest = arguments.tail();
    }
    List<Object> selected = new ArrayList<>();
    for (Object element : elements(value, context)) {
      if (passes(path.value(element, context), rest, context) == passing) {
        selected.add(element);
      }
    }
    return selected;
  }

  private static boolean passes(Object value, Arguments arguments, Context context) {
    return arguments.positional().isEmpty()
        ? Values.isTrue(value)
        : Tests.apply(name("select", arguments), value, arguments.tail(), context);
  }

  private static String name(String filter, Arguments arguments) {
    if (arguments.positional().getFirst() instanceof String name) {
      return name;
    }
    throw new Problem(filter + ": expected the name of a filter or test as a string");
  }
}
