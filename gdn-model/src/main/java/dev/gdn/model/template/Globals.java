package dev.gdn.model.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The functions that every template has. */
final class Globals {
  /** The most elements of a range, as in the reference's sandbox. */
  private static final long LONGEST_RANGE = 100_000;

  static final Map<String, Object> ALL =
      Map.of(
          "range", (Function) Globals::range,
          "namespace", (Function) Globals::namespace,
          "dict", (Function) (arguments, context) -> entries("dict", arguments, context),
          "raise_exception", (Function) Globals::raise,
          "strftime_now", (Function) Globals::now);

  private Globals() {}

  private static Object range(Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind("range", "start", "stop", "step");
    long first = Numbers.whole(bound.get(0));
    long start = bound.has(1) ? first : 0;
    long stop = bound.has(1) ? Numbers.whole(bound.get(1)) : first;
    long step = bound.has(2) ? Numbers.whole(bound.get(2)) : 1;
    if (step == 0) {
      throw new Problem("range() arg 3 must not be zero");
    }
    List<Object> range = new ArrayList<>();
    for (long i = start; step > 0 ? i < stop : i > stop; i += step) {
      if (range.size() == LONGEST_RANGE) {
        throw new Problem(
            "range: expected at most %d elements, found more in range(%d, %d, %d)"
                .formatted(LONGEST_RANGE, start, stop, step));
      }
      context.budget().step(1);
      range.add(i);
      if (step > 0 ? i > Long.MAX_VALUE - step : i < Long.MIN_VALUE - step) {
        break;
      }
    }
    return range;
  }

  private static Object namespace(Arguments arguments, Context context) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    for (Map.Entry<Object, Object> entry : entries("namespace", arguments, context).entrySet()) {
      if (!(entry.getKey() instanceof String name)) {
        throw new Problem("namespace: expected strings as keys");
      }
      attributes.put(name, entry.getValue());
    }
    return new Namespace(attributes);
  }

  /** What a mapping or pairs, and arguments with names, give. */
  private static Map<Object, Object> entries(String name, Arguments arguments, Context context) {
    Map<Object, Object> entries = new LinkedHashMap<>();
    if (!arguments.positional().isEmpty()) {
      Object source = new Arguments(arguments.positional(), Map.of()).bind(name, "mapping").get(0);
      if (source instanceof Undefined undefined) {
        throw undefined.failure();
      }
      List<Object> elements = Values.elements(source, context.budget());
      for (int i = 0; i < elements.size(); i++) {
        if (source instanceof Map<?, ?> map) {
          entries.put(elements.get(i), map.get(elements.get(i)));
        } else {
          pair(elements.get(i), i, entries, context);
        }
      }
    }
    entries.putAll(arguments.named());
    return entries;
  }

  private static void pair(Object pair, int place, Map<Object, Object> entries, Context context) {
    List<Object> parts = Values.elements(pair, context.budget());
    if (parts.size() != 2) {
      throw new Problem(
          "dictionary update sequence element #%d has length %d; 2 is required"
              .formatted(place, parts.size()));
    }
    entries.put(Values.key(parts.get(0), context.budget()), parts.get(1));
  }

  private static Object raise(Arguments arguments, Context context) {
    Object message = arguments.bind("raise_exception", "message").get(0);
    throw Problem.raised(PythonText.str(message, context.budget()));
  }

  private static Object now(Arguments arguments, Context context) {
    String format = arguments.bind("strftime_now", "format").text(0);
    return TimeFormat.format(format, context);
  }
}
