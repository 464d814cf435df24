package dev.gdn.model.template;

import java.util.Map;
import java.util.Optional;

/** What stands behind {@code is}. */
final class Tests {
  private static final Map<String, String> COMPARISONS =
      Map.ofEntries(
          Map.entry("eq", "=="),
          Map.entry("equalto", "=="),
          Map.entry("==", "=="),
          Map.entry("ne", "!="),
          Map.entry("!=", "!="),
          Map.entry("lt", "<"),
          Map.entry("lessthan", "<"),
          Map.entry("<", "<"),
          Map.entry("le", "<="),
          Map.entry("<=", "<="),
          Map.entry("gt", ">"),
          Map.entry("greaterthan", ">"),
          Map.entry(">", ">"),
          Map.entry("ge", ">="),
          Map.entry(">=", ">="),
          Map.entry("in", "in"));

  private Tests() {}

  static boolean apply(String name, Object value, Arguments arguments, Context context) {
    if (value instanceof String text) {
      context.budget().read(text);
    }
    String comparison = COMPARISONS.get(name);
    if (comparison != null) {
      Object other = arguments.bind(name, "other").get(0);
      return Operators.holds(comparison, value, other, context.budget());
    }
    switch (name) {
      case "divisibleby" -> {
        return isMultiple(value, arguments.bind(name, "num").get(0));
      }
      case "sameas" -> {
        return isSame(value, arguments.bind(name, "other").get(0), context);
      }
      default -> {}
    }
    Optional<Boolean> held = withoutArguments(name, value);
    if (held.isEmpty()) {
      throw new Problem("No test named '" + name + "'.");
    }
    arguments.bind(name);
    return held.get();
  }

  private static Optional<Boolean> withoutArguments(String name, Object value) {
    return switch (name) {
      case "defined" -> Optional.of(!(value instanceof Undefined));
      case "undefined" -> Optional.of(value instanceof Undefined);
      case "none" -> Optional.of(value == null);
      case "true" -> Optional.of(Boolean.TRUE.equals(value));
      case "false" -> Optional.of(Boolean.FALSE.equals(value));
      case "boolean" -> Optional.of(value instanceof Boolean);
      case "string" -> Optional.of(value instanceof String);
      case "mapping" -> Optional.of(value instanceof Map<?, ?>);
      case "sequence" -> Optional.of(Values.isSequence(value));
      case "iterable" -> Optional.of(Values.isSequence(value) || value instanceof LoopVariable);
      case "number" -> Optional.of(Values.isNumber(value));
      case "integer" -> Optional.of(Values.isNumber(value) && Values.typeName(value).equals("int"));
      case "float" -> Optional.of(value instanceof Double);
      case "callable" -> Optional.of(value instanceof Function || value instanceof Undefined);
      case "even" -> Optional.of(isMultiple(value, 2L));
      case "odd" -> Optional.of(Numbers.order(rest(value, 2L), 1L) == Order.EQUAL);
      case "lower" -> Optional.of(value instanceof String text && StringMethods.isLower(text));
      case "upper" -> Optional.of(value instanceof String text && StringMethods.isUpper(text));
      case "escaped" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  private static boolean isMultiple(Object value, Object of) {
    return !Values.isTrue(rest(value, of));
  }

  private static Object rest(Object value, Object divisor) {
    if (value instanceof Undefined undefined) {
      throw undefined.failure();
    }
    Object other = Values.isNumber(value) ? divisor : value;
    if (!Values.isNumber(other)) {
      throw new Problem("expected a number, found " + Values.typeName(other));
    }
    return Numbers.apply("%", value, divisor);
  }

  /** Whether two values are one. Equal scalars are; Python tells small ones no more apart. */
  private static boolean isSame(Object value, Object other, Context context) {
    boolean isScalar = value instanceof String || Values.isNumber(value);
    return isScalar
        ? Values.typeName(value).equals(Values.typeName(other))
            && Values.equal(value, other, context.budget())
        : value == other;
  }
}
