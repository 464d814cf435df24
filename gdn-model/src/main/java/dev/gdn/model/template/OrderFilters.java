package dev.gdn.model.template;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Filters that compare the elements of a sequence, or what stands in them, with each other. */
final class OrderFilters {
  static final Map<String, Filters.Filter> ALL =
      Map.of(
          "dictsort", OrderFilters::sortMap,
          "groupby", OrderFilters::group,
          "max", (value, arguments, context) -> extreme("max", ">", value, arguments, context),
          "min", (value, arguments, context) -> extreme("min", "<", value, arguments, context),
          "sort", OrderFilters::sort,
          "unique", OrderFilters::unique);

  private static final List<String> GROUP = List.of("grouper", "list");

  /** An element and what it is compared by. */
  private record Keyed(Object key, Object element) {}

  private OrderFilters() {}

  /** The first of the elements that no other one is further than. */
  private static Object extreme(
      String name, String operator, Object value, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind(name, "case_sensitive", "attribute");
    AttributePath path = AttributePath.of(bound, 1);
    boolean sensitive = bound.flag(0, false);
    Keyed most = null;
    for (Object element : Values.elements(value, context.budget())) {
      Keyed next = new Keyed(cased(path.value(element, context), sensitive, context), element);
      if (most == null || Operators.holds(operator, next.key(), most.key(), context.budget())) {
        most = next;
      }
    }
    return most == null ? new Undefined("No aggregated item, sequence was empty.") : most.element();
  }

  private static Object sort(Object value, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind("sort", "reverse", "case_sensitive", "attribute");
    List<AttributePath> paths = AttributePath.several(bound, 2);
    boolean sensitive = bound.flag(1, false);
    List<Keyed> keyed = new ArrayList<>();
    for (Object element : Values.elements(value, context.budget())) {
      keyed.add(new Keyed(keys(element, paths, sensitive, context), element));
    }
    sort(keyed, bound.flag(0, false), context);
    return elements(keyed);
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
    List<Keyed> keyed = new ArrayList<>();
    for (Object item : Attributes.items(map, context.budget())) {
      Object key = ((Tuple) item).items().get(place);
      keyed.add(new Keyed(cased(key, sensitive, context), item));
    }
    sort(keyed, bound.flag(2, false), context);
    return elements(keyed);
  }

  /** Groups of elements with equal attributes, each under the attribute of its first one. */
  private static Object group(Object value, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind("groupby", "attribute", "default", "case_sensitive");
    AttributePath path = AttributePath.of(bound.get(0));
    Object otherwise = bound.get(1, null);
    boolean sensitive = bound.flag(2, false);
    List<Keyed> keyed = new ArrayList<>();
    for (Object element : Values.elements(value, context.budget())) {
      Object key = path.value(element, otherwise, context);
      keyed.add(new Keyed(cased(key, sensitive, context), new Keyed(key, element)));
    }
    sort(keyed, false, context);
    List<Object> groups = new ArrayList<>();
    List<Object> group = List.of();
    Keyed before = null;
    for (Keyed next : keyed) {
      Keyed grouped = (Keyed) next.element();
      if (before == null || !Values.equal(before.key(), next.key(), context.budget())) {
        group = new ArrayList<>();
        groups.add(new Tuple(Arrays.asList(grouped.key(), group), GROUP));
      }
      group.add(grouped.element());
      before = next;
    }
    return groups;
  }

  private static void sort(List<Keyed> elements, boolean reverse, Context context) {
    Comparator<Keyed> order = (a, b) -> Values.compare(a.key(), b.key(), context.budget());
    elements.sort(reverse ? order.reversed() : order);
  }

  private static List<Object> elements(List<Keyed> keyed) {
    return new ArrayList<>(keyed.stream().map(Keyed::element).toList());
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
    for (Object element : Values.elements(sequence, context.budget())) {
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
