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
          "namespace",
              (Function) (arguments, _) -> new Namespace(attributes("namespace", arguments)),
          "dict", (Function) (arguments, _) -> new LinkedHashMap<>(attributes("dict", arguments)),
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

  /** What a mapping and arguments with names give. */
  private static Map<String, Object> attributes(String name, Arguments arguments) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    if (!arguments.positional().isEmpty()) {
      Arguments byPlace = new Arguments(arguments.positional(), Map.of());
      if (!(byPlace.bind(name, "mapping").get(0) instanceof Map<?, ?> map)) {
        throw new Problem(name + ": expected a mapping");
      }
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        if (!(entry.getKey() instanceof String key)) {
          throw new Problem(name + ": expected strings as keys");
        }
        attributes.put(key, entry.getValue());
      }
    }
    attributes.putAll(arguments.named());
    return attributes;
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
