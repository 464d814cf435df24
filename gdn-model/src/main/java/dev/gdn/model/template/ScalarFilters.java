package dev.gdn.model.template;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;

/** Filters of numbers, and the one for what is undefined. */
final class ScalarFilters {
  static final Map<String, Filters.Filter> ALL =
      Map.of(
          "abs", ScalarFilters::abs,
          "d", ScalarFilters::otherwise,
          "default", ScalarFilters::otherwise,
          "float", ScalarFilters::real,
          "int", ScalarFilters::whole,
          "round", ScalarFilters::round);

  /** Digits beyond which a float has none left to round. */
  private static final int MOST_DIGITS = 400;

  private ScalarFilters() {}

  private static Object otherwise(Object value, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind("default", "default_value", "boolean");
    boolean absent = value instanceof Undefined || (bound.flag(1, false) && !Values.isTrue(value));
    return absent ? bound.get(0, "") : value;
  }

  private static Object abs(Object value, Arguments arguments, Context context) {
    arguments.bind("abs");
    requireNumber(value);
    return switch (value) {
      case Boolean _ -> Numbers.whole(value);
      case Double number -> Math.abs(number);
      default -> Numbers.compare(value, 0L) < 0 ? Numbers.negate(value) : value;
    };
  }

  private static void requireNumber(Object value) {
    if (value instanceof Undefined undefined) {
      throw undefined.failure();
    }
    if (!Values.isNumber(value)) {
      throw new Problem("expected a number, found " + Values.typeName(value));
    }
  }

  private static Object whole(Object value, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind("int", "default", "base");
    Object otherwise = bound.get(0, 0L);
    return switch (value) {
      case String text -> parsed(text, bound.whole(1, 10), otherwise);
      case Double number -> number.isNaN() || number.isInfinite() ? otherwise : truncated(number);
      case Undefined undefined -> throw undefined.failure();
      case Boolean flag -> flag ? 1L : 0L;
      case null, default -> Values.isNumber(value) ? value : otherwise;
    };
  }

  private static Object parsed(String text, int base, Object otherwise) {
    String digits = StringMethods.strip(text, null, true, true);
    try {
      return Long.valueOf(digits, base);
    } catch (NumberFormatException noWholeNumber) {
      try {
        return truncated(parseReal(digits));
      } catch (NumberFormatException noNumber) {
        return otherwise;
      }
    }
  }

  private static long truncated(double number) {
    if (Math.abs(number) >= 0x1p63) {
      throw new Problem("expected a whole number of 64 bits, found a larger one");
    }
    return (long) number;
  }

  private static Object real(Object value, Arguments arguments, Context context) {
    Object otherwise = arguments.bind("float", "default").get(0, 0.0);
    if (value instanceof String text) {
      try {
        return parseReal(StringMethods.strip(text, null, true, true));
      } catch (NumberFormatException noNumber) {
        return otherwise;
      }
    }
    if (value instanceof Undefined undefined) {
      throw undefined.failure();
    }
    return Values.isNumber(value) ? Numbers.real(value) : otherwise;
  }

  /** Java takes forms that Python does not: hexadecimal ones and the suffixes of its literals. */
  private static double parseReal(String digits) {
    if (!digits.matches("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?")) {
      throw new NumberFormatException();
    }
    return Double.parseDouble(digits);
  }

  private static Object round(Object value, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind("round", "precision", "method");
    requireNumber(value);
    int precision = Math.clamp(bound.whole(0, 0), -MOST_DIGITS, MOST_DIGITS);
    RoundingMode mode =
        switch (bound.text(1, "common")) {
          case "common" -> RoundingMode.HALF_EVEN;
          case "ceil" -> RoundingMode.CEILING;
          case "floor" -> RoundingMode.FLOOR;
          default -> throw new Problem("method must be common, ceil or floor");
        };
    if (!(value instanceof Double) && mode == RoundingMode.HALF_EVEN) {
      return rounded(value, precision);
    }
    double number = Numbers.real(value);
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return number;
    }
    return new BigDecimal(number).setScale(precision, mode).doubleValue();
  }

  /** A whole number stays one. */
  private static Object rounded(Object value, int precision) {
    if (precision < 0) {
      return Numbers.rounded(value, -precision);
    }
    return value instanceof Boolean ? Numbers.whole(value) : value;
  }
}
