package dev.gdn.model.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What stands behind a dot or in brackets. As in the reference, a dot finds methods before keys and
 * brackets find keys before methods, and the methods that would change a list or a mapping are
 * there only to be refused.
 */
final class Attributes {
  private static final Set<String> LIST_CHANGES =
      Set.of("append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort");
  private static final Set<String> MAP_CHANGES =
      Set.of("clear", "pop", "popitem", "setdefault", "update");

  private Attributes() {}

  /** {@code of.name}. */
  static Object attribute(Object of, String name) {
    Object method = method(of, name);
    if (method != null) {
      return method;
    }
    if (of instanceof Map<?, ?> map && map.containsKey(name)) {
      return map.get(name);
    }
    return missing(of, name);
  }

  /** {@code of[key]}. */
  static Object item(Object of, Object key, Budget budget) {
    if (of instanceof Undefined undefined) {
      throw undefined.failure();
    }
    if (of instanceof Map<?, ?> map && isKey(key)) {
      Object known = Values.key(key, budget);
      if (map.containsKey(known)) {
        return map.get(known);
      }
    }
    if (key instanceof String name) {
      budget.characters(name.length()); // of a message
      return methodOrMissing(of, name);
    }
    if (key instanceof Long || key instanceof Boolean) {
      long index = Numbers.whole(key);
      long length = of instanceof Map<?, ?> ? 0 : lengthOrNone(of, budget);
      long place = index < 0 ? index + length : index;
      if (place >= 0 && place < length) {
        return element(of, (int) place, budget);
      }
    }
    return new Undefined(describe(of) + " has no element " + PythonText.str(key, budget));
  }

  private static boolean isKey(Object key) {
    return key == null || key instanceof String || Values.isNumber(key);
  }

  private static long lengthOrNone(Object of, Budget budget) {
    if (of instanceof String text) {
      budget.read(text);
    }
    return of instanceof String || of instanceof List<?> || of instanceof Tuple
        ? Values.length(of)
        : 0;
  }

  private static Object element(Object of, int place, Budget budget) {
    return switch (of) {
      case List<?> list -> list.get(place);
      case Tuple tuple -> tuple.items().get(place);
      case null, default -> {
        String text = (String) of;
        budget.step(1 + place / 16);
        int at = text.offsetByCodePoints(0, place);
        yield Character.toString(text.codePointAt(at));
      }
    };
  }

  private static Object methodOrMissing(Object of, String name) {
    Object method = method(of, name);
    return method == null ? missing(of, name) : method;
  }

  private static Object missing(Object of, String name) {
    return switch (of) {
      case Undefined undefined -> throw undefined.failure();
      case Namespace space when space.attributes().containsKey(name) ->
          space.attributes().get(name);
      case LoopVariable loop -> loop.attribute(name);
      case Tuple tuple when tuple.names().contains(name) ->
          tuple.items().get(tuple.names().indexOf(name));
      // No format, which takes long: a list may have many such elements.
      case null, default -> new Undefined("'" + describe(of) + "' has no attribute '" + name + "'");
    };
  }

  /** A method, what stands for one that is refused, or null. */
  private static Object method(Object of, String name) {
    return switch (of) {
      case String text -> StringMethods.find(text, name);
      case Map<?, ?> _ when MAP_CHANGES.contains(name) -> unsafe(of, name);
      case Map<?, ?> map -> mapMethod(map, name);
      case List<?> _ when LIST_CHANGES.contains(name) -> unsafe(of, name);
      case List<?> list -> listMethod(list, name);
      case Tuple tuple -> listMethod(tuple.items(), name);
      case null, default -> null;
    };
  }

  private static Undefined unsafe(Object of, String name) {
    return new Undefined(
        "access to attribute '%s' of '%s' object is unsafe.".formatted(name, Values.typeName(of)));
  }

  private static Function mapMethod(Map<?, ?> map, String name) {
    return switch (name) {
      case "items" ->
          (arguments, context) -> {
            arguments.bind(name);
            return items(map, context.budget());
          };
      case "keys" ->
          (arguments, context) -> {
            arguments.bind(name);
            return Values.elements(map, context.budget());
          };
      case "values" ->
          (arguments, context) -> {
            arguments.bind(name);
            context.budget().step(map.size());
            return new ArrayList<Object>(map.values());
          };
      case "get" ->
          (arguments, context) -> {
            Arguments.Bound bound = arguments.bind(name, "key", "default");
            Object key = Values.key(bound.get(0), context.budget());
            return map.containsKey(key) ? map.get(key) : bound.get(1, null);
          };
      case "copy" ->
          (arguments, _) -> {
            arguments.bind(name);
            return map; // no template can tell, since none can change it
          };
      default -> null;
    };
  }

  /** The keys of a mapping with their values. */
  static List<Object> items(Map<?, ?> map, Budget budget) {
    budget.step(map.size());
    List<Object> items = new ArrayList<>(map.size());
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      List<Object> pair = new ArrayList<>(2);
      pair.add(entry.getKey());
      pair.add(entry.getValue());
      items.add(new Tuple(pair));
    }
    return items;
  }

  private static Function listMethod(List<?> list, String name) {
    return switch (name) {
      case "index" ->
          (arguments, context) -> {
            Object sought = arguments.bind(name, "value").get(0);
            for (int i = 0; i < list.size(); i++) {
              if (Values.equal(list.get(i), sought, context.budget())) {
                return (long) i;
              }
            }
            throw new Problem("the value is not in the list");
          };
      case "count" ->
          (arguments, context) -> {
            Object sought = arguments.bind(name, "value").get(0);
            return list.stream().filter(e -> Values.equal(e, sought, context.budget())).count();
          };
      case "copy" ->
          (arguments, _) -> {
            arguments.bind(name);
            return list; // no template can tell, since none can change it
          };
      default -> null;
    };
  }

  /** {@code of[from:to:step]}, {@code none} for what is left out. */
  static Object slice(Object of, Object from, Object to, Object step, Budget budget) {
    if (of instanceof Undefined undefined) {
      throw undefined.failure();
    }
    if (!(of instanceof String || of instanceof List<?> || of instanceof Tuple)) {
      throw new Problem(
          of instanceof Map<?, ?>
              ? "unhashable type: 'slice'"
              : "'%s' object is not subscriptable".formatted(Values.typeName(of)));
    }
    long stride = step == null ? 1 : Numbers.whole(step);
    if (stride == 0) {
      throw new Problem("slice step cannot be zero");
    }
    int length = (int) lengthOrNone(of, budget);
    long first = stride > 0 ? 0 : length - 1L;
    long last = stride > 0 ? length : -1L;
    long begin = from == null ? first : bound(Numbers.whole(from), length, stride);
    long end = to == null ? last : bound(Numbers.whole(to), length, stride);
    if (of instanceof String text && stride == 1) {
      return part(text, (int) begin, (int) Math.max(begin, end), budget);
    }
    List<Object> elements = Values.elements(of, budget);
    List<Object> taken = new ArrayList<>();
    for (long i = begin; stride > 0 ? i < end : i > end; i += stride) {
      taken.add(elements.get((int) i));
      if (Math.abs(stride) >= length) {
        break; // one more step might overflow
      }
    }
    return switch (of) {
      case String _ -> {
        Text text = new Text(budget);
        taken.forEach(character -> text.append((String) character));
        yield text.toString();
      }
      case Tuple _ -> new Tuple(taken);
      default -> taken;
    };
  }

  private static String part(String text, int begin, int end, Budget budget) {
    int from = text.offsetByCodePoints(0, begin);
    int to = text.offsetByCodePoints(from, end - begin);
    budget.characters(to - from);
    return text.substring(from, to);
  }

  private static long bound(long index, int length, long stride) {
    long least = stride > 0 ? 0 : -1;
    long most = stride > 0 ? length : length - 1L;
    return Math.clamp(index < 0 ? index + length : index, least, most);
  }

  private static String describe(Object value) {
    return value == null ? "None" : Values.typeName(value) + " object";
  }
}
