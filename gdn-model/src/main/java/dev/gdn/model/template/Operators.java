package dev.gdn.model.template;

import java.util.ArrayList;
import java.util.List;

/** Python's binary operators. */
final class Operators {
  private Operators() {}

  /** The result of an arithmetic operator, which also joins and repeats texts and lists. */
  static Object apply(String operator, Object left, Object right, Budget budget) {
    if (left instanceof Undefined undefined) {
      throw undefined.failure();
    }
    if (right instanceof Undefined undefined) {
      throw undefined.failure();
    }
    if (Values.isNumber(left) && Values.isNumber(right)) {
      return Numbers.apply(operator, left, right);
    }
    if (operator.equals("+")) {
      return add(left, right, budget);
    }
    if (operator.equals("*") && isSequence(left)) {
      return repeat(left, times(right), budget);
    }
    if (operator.equals("*") && isSequence(right)) {
      return repeat(right, times(left), budget);
    }
    if (operator.equals("%") && left instanceof String) {
      throw new Problem("formatting by % is not supported");
    }
    throw unsupported(operator, left, right);
  }

  private static boolean isSequence(Object value) {
    return value instanceof String || value instanceof List<?> || value instanceof Tuple;
  }

  private static long times(Object count) {
    if (!Values.isNumber(count) || count instanceof Double) {
      throw new Problem(
          "can't multiply sequence by non-int of type '%s'".formatted(Values.typeName(count)));
    }
    return Numbers.whole(count);
  }

  private static Object add(Object left, Object right, Budget budget) {
    if (left instanceof String a && right instanceof String b) {
      return new Text(budget).append(a).append(b).toString();
    }
    if (left instanceof List<?> a && right instanceof List<?> b) {
      return joined(a, b, budget);
    }
    if (left instanceof Tuple a && right instanceof Tuple b) {
      return new Tuple(joined(a.items(), b.items(), budget));
    }
    if (isSequence(left)) {
      String type = Values.typeName(left);
      throw new Problem(
          "can only concatenate %s (not \"%s\") to %s"
              .formatted(type, Values.typeName(right), type));
    }
    throw unsupported("+", left, right);
  }

  private static List<Object> joined(List<?> a, List<?> b, Budget budget) {
    budget.step((long) a.size() + b.size());
    List<Object> joined = new ArrayList<>(a);
    joined.addAll(b);
    return joined;
  }

  private static Object repeat(Object value, long count, Budget budget) {
    return switch (value) {
      case String text -> new Text(budget).repeat(text, count).toString();
      case List<?> list -> repeated(list, count, budget);
      default -> new Tuple(repeated(((Tuple) value).items(), count, budget));
    };
  }

  private static List<Object> repeated(List<?> list, long count, Budget budget) {
    List<Object> repeated = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      budget.step(1 + list.size());
      repeated.addAll(list);
    }
    return repeated;
  }

  private static Problem unsupported(String operator, Object left, Object right) {
    return new Problem(
        "unsupported operand type(s) for %s: '%s' and '%s'"
            .formatted(
                operator.equals("**") ? "** or pow()" : operator,
                Values.typeName(left),
                Values.typeName(right)));
  }

  /** Whether a comparison holds. */
  static boolean holds(String operator, Object left, Object right, Budget budget) {
    return switch (operator) {
      case "==" -> Values.equal(left, right, budget);
      case "!=" -> !Values.equal(left, right, budget);
      case "in" -> Values.contains(right, left, budget);
      case "not in" -> !Values.contains(right, left, budget);
      default -> holds(operator, Values.order(left, right, operator, budget));
    };
  }

  private static boolean holds(String operator, Order order) {
    return switch (operator) {
      case "<" -> order == Order.LESS;
      case "<=" -> order == Order.LESS || order == Order.EQUAL;
      case ">" -> order == Order.GREATER;
      default -> order == Order.GREATER || order == Order.EQUAL;
    };
  }
}
