package dev.gdn.model.template;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Filters that take a value as a sequence of elements. */
final class SequenceFilters {
  static final Map<String, Filters.Filter> ALL =
      Map.ofEntries(
          Map.entry("count", SequenceFilters::length),
          Map.entry("dictsort", SequenceFilters::sortMap),
          Map.entry("first", SequenceFilters::first),
          Map.entry("items", SequenceFilters::items),
          Map.entry("join", SequenceFilters::join),
          Map.entry("last", SequenceFilters::last),
          Map.entry("length", SequenceFilters::length),
          Map.entry("list", SequenceFilters::list),
          Map.entry(
              "max", (value, arguments, context) -> extreme("max", value, arguments, context)),
          Map.entry(
              "min", (value, arguments, context) -> extreme("min", value, arguments, context)),
          Map.entry("reverse", SequenceFilters::reverse),
          Map.entry("sort", SequenceFilters::sort),
          Map.entry("sum", SequenceFilters::sum),
          Map.entry("unique", SequenceFilters::unique));

  /** An element and what it is sorted by. */
  private record Keyed(List<Object> keys, Object element) {}

  private SequenceFilters() {}

  private static List<Object> elements(Object value, Context context) {
    return Values.elements(value, context.budget());
  }

  private static Object length(Object value, Arguments arguments, Context context) {
    arguments.bind("length");
    return Values.length(value);
  }

  private static Object list(Object value, Arguments arguments, Context context) {
    arguments.bind("list");
    return new ArrayList<>(elements(value, context));
  }

  private static Object first(Object value, Arguments arguments, Context context) {
    arguments.bind("first");
    List<Object> elements = elements(value, context);
    return elements.isEmpty()
        ? new Undefined("No first item, sequence was empty.")
        : elements.getFirst();
  }

  private static Object last(Object value, Arguments arguments, Context context) {
    arguments.bind("last");
    List<Object> elements = elements(value, context);
    return elements.isEmpty()
        ? new Undefined("No last item, sequence was empty.")
        : elements.getLast();
  }

  private static Object reverse(Object value, Arguments arguments, Context context) {
    arguments.bind("reverse");
    if (value instanceof String text) {
      return Attributes.slice(text, null, null, -1L, context.budget());
    }
    List<Object> reversed = new ArrayList<>(elements(value, context));
    Collections.reverse(reversed);
    return reversed;
  }

  private static Object items(Object value, Arguments arguments, Context context) {
    arguments.bind("items");
    return switch (value) {
      case Map<?, ?> map -> Attributes.items(map, context.budget());
      case Undefined _ -> new ArrayList<>();
      case null, default -> throw new Problem("Can only get item pairs from a mapping.");
    };
  }

  private static Object join(Object value, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind("join", "d", "attribute");
    String separator = PythonText.str(bound.get(0, ""), context.budget());
    Text out = new Text(context.budget());
    String between = "";
    AttributePath path = AttributePath.of(bound, 1);
    for (Object element : elements(value, context)) {
      Object part = path.value(element, context);
      out.append(between).append(PythonText.str(part, context.budget()));
      between = separator;
    }
    return out.toString();
  }

  private static Object sum(Object value, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind("sum", "attribute", "start");
    Object sum = bound.get(1, 0L);
    AttributePath path = AttributePath.of(bound, 0);
    for (Object element : elements(value, context)) {
      Object part = path.value(element, context);
      sum = Operators.apply("+", sum, part, context.budget());
    }
    return sum;
  }

  private static Object extreme(String name, Object value, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind(name, "case_sensitive", "attribute");
    List<Object> elements = elements(value, context);
    if (elements.isEmpty()) {
      return new Undefined("No aggregated item, sequence was empty.");
    }
    AttributePath path = AttributePath.of(bound, 1);
    boolean sensitive = bound.flag(0, false);
    boolean isMost = name.equals("max");
    Comparator<Object> order =
        (a, b) ->
            Values.compare(
                cased(path.value(a, context), sensitive, context),
                cased(path.value(b, context), sensitive, context),
                isMost ? ">" : "<",
                context.budget());
    return isMost ? Collections.max(elements, order) : Collections.min(elements, order);
  }

  private static Object sort(Object value, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind("sort", "reverse", "case_sensitive", "attribute");
    List<AttributePath> paths = AttributePath.several(bound, 2);
    boolean sensitive = bound.flag(1, false);
    List<Keyed> keyed = new ArrayList<>();
    for (Object element : elements(value, context)) {
      keyed.add(new Keyed(keys(element, paths, sensitive, context), element));
    }
    Comparator<Keyed> order = (a, b) -> Values.compare(a.keys(), b.keys(), "<", context.budget());
    List<Keyed> sorted = sorted(keyed, order, bound.flag(0, false));
    return new ArrayList<>(sorted.stream().map(Keyed::element).toList());
  }

  private static Object sortMap(Object value, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind("dictsort", "case_sensitive", "by", "reverse");
    if (!(value instanceof Map<?, ?> map)) {
      throw new Problem("dictsort: expected a mapping, found " + Values.typeName(value));
    }
    int place =
        switch (bound.text(1, "key")) {
          case "key" -> 0;
          case "value" -> 1;
          default -> throw new Problem("You can only sort by either \"key\" or \"value\"");
        };
    boolean sensitive = bound.flag(0, false);
    Comparator<Object> order =
        (a, b) ->
            Values.compare(
                cased(((Tuple) a).items().get(place), sensitive, context),
                cased(((Tuple) b).items().get(place), sensitive, context),
                "<",
                context.budget());
    return sorted(Attributes.items(map, context.budget()), order, bound.flag(2, false));
  }

  private static <T> List<T> sorted(List<T> elements, Comparator<T> order, boolean reverse) {
    List<T> sorted = new ArrayList<>(elements);
    sorted.sort(reverse ? order.reversed() : order);
    return sorted;
  }

  /** What an element is sorted by: a list even of one, since lists of equal items have an order. */
  private static List<Object> keys(
      Object element, List<AttributePath> paths, boolean sensitive, Context context) {
    context.budget().step(paths.size());
    List<Object> keys = new ArrayList<>();
    paths.forEach(path -> keys.add(cased(path.value(element, context), sensitive, context)));
    return keys;
  }

  private static Object cased(Object value, boolean sensitive, Context context) {
    if (sensitive || !(value instanceof String text)) {
      return value;
    }
    context.budget().read(text);
    return LetterCase.lower(text);
  }

  private static Object unique(Object sequence, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind("unique", "case_sensitive", "attribute");
    List<Object> unique = new ArrayList<>();
    List<Object> seen = new ArrayList<>();
    AttributePath path = AttributePath.of(bound, 1);
    for (Object element : elements(sequence, context)) {
      Object value = path.value(element, context);
      Object key = cased(value, bound.flag(0, false), context);
      if (seen.stream().noneMatch(other -> Values.equal(other, key, context.budget()))) {
        seen.add(key);
        unique.add(element);
      }
    }
    return unique;
  }
}
