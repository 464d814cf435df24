package dev.gdn.model.template;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Filters that take a value as a sequence of elements. */
final class SequenceFilters {
  static final Map<String, Filters.Filter> ALL =
      Map.ofEntries(
          Map.entry("batch", SequenceFilters::batch),
          Map.entry("count", SequenceFilters::length),
          Map.entry("first", SequenceFilters::first),
          Map.entry("items", SequenceFilters::items),
          Map.entry("join", SequenceFilters::join),
          Map.entry("last", SequenceFilters::last),
          Map.entry("length", SequenceFilters::length),
          Map.entry("list", SequenceFilters::list),
          Map.entry("reverse", SequenceFilters::reverse),
          Map.entry("slice", SequenceFilters::slice),
          Map.entry("sum", SequenceFilters::sum));

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

  private static Object batch(Object value, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind("batch", "linecount", "fill_with");
    int size = bound.whole(0);
    List<Object> batches = new ArrayList<>();
    List<Object> batch = new ArrayList<>();
    for (Object element : elements(value, context)) {
      if (batch.size() == size) { // of size 0 there is one, as in the reference
        batches.add(batch);
        batch = new ArrayList<>();
      }
      batch.add(element);
    }
    if (!batch.isEmpty()) {
      int missing = bound.get(1, null) == null ? 0 : Math.max(size - batch.size(), 0);
      context.budget().step(missing);
      batch.addAll(Collections.nCopies(missing, bound.get(1, null)));
      batches.add(batch);
    }
    return batches;
  }

  /** A number of lists; where one is filled up, all that are not longer than others are. */
  private static Object slice(Object value, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind("slice", "slices", "fill_with");
    List<Object> elements = elements(value, context);
    int count = bound.whole(0);
    if (count == 0) {
      throw new Problem("integer division or modulo by zero");
    }
    List<Object> slices = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < count; i++) {
      context.budget().step(1);
      boolean isLonger = i < elements.size() % count;
      int to = from + elements.size() / count + (isLonger ? 1 : 0);
      List<Object> slice = new ArrayList<>(elements.subList(from, to));
      if (!isLonger && bound.get(1, null) != null) {
        slice.add(bound.get(1));
      }
      slices.add(slice);
      from = to;
    }
    return slices;
  }
}
