package dev.gdn.model.template;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What all values have in common in Python: truth, equality, order, length, elements, a type. */
final class Values {
  /** What a character costs as a text of its own, which takes some fifty bytes. */
  private static final long STEPS_PER_CHARACTER = 8;

  private Values() {}

  static boolean isTrue(Object value) {
    return switch (value) {
      case null -> false;
      case Boolean flag -> flag;
      case Long number -> number != 0;
      case Double number -> number != 0;
      case BigInteger number -> number.signum() != 0;
      case String text -> !text.isEmpty();
      case List<?> list -> !list.isEmpty();
      case Map<?, ?> map -> !map.isEmpty();
      case Tuple tuple -> !tuple.items().isEmpty();
      case Undefined _ -> false;
      default -> true;
    };
  }

  /** How messages name the type. */
  static String typeName(Object value) {
    return switch (value) {
      case null -> "NoneType";
      case Boolean _ -> "bool";
      case Long _, BigInteger _ -> "int";
      case Double _ -> "float";
      case String _ -> "str";
      case List<?> _ -> "list";
      case Map<?, ?> _ -> "dict";
      case Tuple _ -> "tuple";
      case Undefined _ -> "Undefined";
      case Namespace _ -> "Namespace";
      case LoopVariable _ -> "LoopContext";
      default -> "function";
    };
  }

  static boolean isNumber(Object value) {
    return value instanceof Boolean
        || value instanceof Long
        || value instanceof BigInteger
        || value instanceof Double;
  }

  /** Whether it has elements in an order, as Python's sequences and, for Jinja, mappings have. */
  static boolean isSequence(Object value) {
    return value instanceof String
        || value instanceof List<?>
        || value instanceof Tuple
        || value instanceof Map<?, ?>
        || value instanceof Undefined;
  }

  /** The number of elements or characters. */
  static long length(Object value) {
    return switch (value) {
      case String text -> text.codePointCount(0, text.length());
      case List<?> list -> list.size();
      case Map<?, ?> map -> map.size();
      case Tuple tuple -> tuple.items().size();
      case Undefined _ -> 0;
      case LoopVariable loop -> loop.length();
      case null, default ->
          throw new Problem("object of type '%s' has no len()".formatted(typeName(value)));
    };
  }

  /** The elements that a loop goes over: of a mapping its keys, of a text its characters. */
  @SuppressWarnings("unchecked") // a list or a map of a template holds template values alone
  static List<Object> elements(Object value, Budget budget) {
    List<Object> elements =
        switch (value) {
          case List<?> list -> (List<Object>) list;
          case Tuple tuple -> tuple.items();
          case Map<?, ?> map -> new ArrayList<>(map.keySet());
          case String text -> characters(text, budget);
          case Undefined _ -> List.of();
          case null, default ->
              throw new Problem("'%s' object is not iterable".formatted(typeName(value)));
        };
    budget.step(elements.size());
    return elements;
  }

  private static List<Object> characters(String text, Budget budget) {
    budget.step(STEPS_PER_CHARACTER * text.length());
    List<Object> characters = new ArrayList<>();
    text.codePoints().forEach(character -> characters.add(Character.toString(character)));
    return characters;
  }

  /** Python's {@code ==}. */
  static boolean equal(Object a, Object b, Budget budget) {
    budget.enter();
    try {
      if (isNumber(a) && isNumber(b)) {
        return Numbers.order(a, b) == Order.EQUAL;
      }
      return switch (a) {
        case null -> b == null;
        case String text -> b instanceof String other && equal(text, other, budget);
        case List<?> list -> b instanceof List<?> other && equal(list, other, budget);
        case Tuple tuple -> b instanceof Tuple other && equal(tuple.items(), other.items(), budget);
        case Map<?, ?> map -> b instanceof Map<?, ?> other && equal(map, other, budget);
        case Undefined _ -> b instanceof Undefined;
        default -> a == b;
      };
    } finally {
      budget.leave();
    }
  }

  private static boolean equal(String a, String b, Budget budget) {
    if (a.length() != b.length()) {
      return false;
    }
    budget.read(a);
    return a.equals(b);
  }

  private static boolean equal(List<?> a, List<?> b, Budget budget) {
    boolean equal = a.size() == b.size();
    for (int i = 0; equal && i < a.size(); i++) {
      equal = equal(a.get(i), b.get(i), budget);
    }
    return equal;
  }

  private static boolean equal(Map<?, ?> a, Map<?, ?> b, Budget budget) {
    if (a.size() != b.size()) {
      return false;
    }
    for (Map.Entry<?, ?> entry : a.entrySet()) {
      if (!b.containsKey(key(entry.getKey(), budget))
          || !equal(entry.getValue(), b.get(entry.getKey()), budget)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The order of two values.
   *
   * @param operator how the message writes the comparison
   * @throws Problem if they have none, or one is undefined
   */
  static Order order(Object a, Object b, String operator, Budget budget) {
    budget.enter();
    try {
      if (isNumber(a) && isNumber(b)) {
        return Numbers.order(a, b);
      }
      if (a instanceof String x && b instanceof String y) {
        budget.read(x.length() < y.length() ? x : y);
        return Order.of(PythonText.compare(x, y));
      }
      if (a instanceof List<?> x && b instanceof List<?> y) {
        return order(x, y, operator, budget);
      }
      if (a instanceof Tuple x && b instanceof Tuple y) {
        return order(x.items(), y.items(), operator, budget);
      }
      throw a instanceof Undefined x
          ? x.failure()
          : b instanceof Undefined y
              ? y.failure()
              : new Problem(
                  "'%s' not supported between instances of '%s' and '%s'"
                      .formatted(operator, typeName(a), typeName(b)));
    } finally {
      budget.leave();
    }
  }

  private static Order order(List<?> a, List<?> b, String operator, Budget budget) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      if (!equal(a.get(i), b.get(i), budget)) {
        return order(a.get(i), b.get(i), operator, budget);
      }
    }
    return Order.of(Integer.compare(a.size(), b.size()));
  }

  /**
   * The order of two values that are sorted, as a {@link java.util.Comparator} returns it.
   *
   * @throws Problem if they have none, also since one is not a number: where the reference puts
   *     that depends on how it sorts
   */
  static int compare(Object a, Object b, Budget budget) {
    return switch (order(a, b, "<", budget)) {
      case LESS -> -1;
      case EQUAL -> 0;
      case GREATER -> 1;
      case NONE -> throw new Problem("expected values that can be sorted, found nan");
    };
  }

  /** Python's {@code item in container}. */
  static boolean contains(Object container, Object item, Budget budget) {
    return switch (container) {
      case String text -> {
        if (!(item instanceof String part)) {
          throw new Problem("'in <string>' requires string as left operand, not " + typeName(item));
        }
        budget.search(text, part);
        yield text.contains(part);
      }
      case Map<?, ?> map -> map.containsKey(key(item, budget));
      case null, default -> {
        if (!isSequence(container)) {
          throw new Problem("argument of type '%s' is not iterable".formatted(typeName(container)));
        }
        for (Object element : elements(container, budget)) {
          if (equal(element, item, budget)) {
            yield true;
          }
        }
        yield false;
      }
    };
  }

  /** A value as a key of a mapping: equal numbers are equal keys, lists and mappings are none. */
  static Object key(Object value, Budget budget) {
    return switch (value) {
      case null -> null;
      case String text -> {
        budget.read(text);
        yield text;
      }
      case Boolean flag -> flag ? 1L : 0L;
      case Double number when number == Math.rint(number) && Math.abs(number) < 0x1p63 ->
          number.longValue();
      case Long _, Double _, BigInteger _ -> value;
      default -> throw new Problem("unhashable type: '%s'".formatted(typeName(value)));
    };
  }
}
