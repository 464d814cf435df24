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

  /** Of the largest power of ten that is a float. */
  private static final int MOST_ZEROS = 308;

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
      default -> Numbers.order(value, 0L) == Order.LESS ? Numbers.negate(value) : value;
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
      case Double number when number.isInfinite() ->
          throw new Problem("cannot convert float infinity to integer");
      case Double number -> truncated(number, otherwise);
      case Undefined undefined -> throw undefined.failure();
      case Boolean flag -> flag ? 1L : 0L;
      case null, default -> Values.isNumber(value) ? value : otherwise;
    };
  }

  private static Object parsed(String text, int base, Object otherwise) {
    try {
      return NumberText.whole(text, base);
    } catch (NumberFormatException noWholeNumber) {
      try {
        return truncated(NumberText.real(text), otherwise);
      } catch (NumberFormatException noNumber) {
        return otherwise;
      }
    }
  }

  private static Object truncated(double number, Object otherwise) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return otherwise;
    }
    if (Math.abs(number) >= 0x1p63) {
      throw Numbers.tooLarge();
    }
    return (long) number;
  }

  private static Object real(Object value, Arguments arguments, Context context) {
    Object otherwise = arguments.bind("float", "default").get(0, 0.0);
    if (value instanceof String text) {
      try {
        return NumberText.real(text);
      } catch (NumberFormatException noNumber) {
        return otherwise;
      }
    }
    if (value instanceof Undefined undefined) {
      throw undefined.failure();
    }
    return Values.isNumber(value) ? Numbers.real(value) : otherwise;
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
    if (mode != RoundingMode.HALF_EVEN) {
      return scaled(value, precision, mode);
    }
    return value instanceof Double number ? nearest(number, precision) : rounded(value, precision);
  }

  private static double nearest(double number, int precision) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return number;
    }
    BigDecimal decimal = new BigDecimal(number).setScale(precision, RoundingMode.HALF_EVEN);
    double rounded = Math.copySign(decimal.doubleValue(), number);
    if (Double.isInfinite(rounded)) {
      throw new Problem("rounded value too large to represent");
    }
    return rounded;
  }

  /** As the reference does it: what the multiplication rounds counts, so that 2.1 stays 2.1. */
  private static double scaled(Object value, int precision, RoundingMode mode) {
    double number = Numbers.real(value);
    if (precision >= 0 && !(value instanceof Double)) {
      return number; // a whole number times a power of ten is one
    }
    if (precision > MOST_ZEROS) {
      throw new Problem("int too large to convert to float");
    }
    double scale = Double.parseDouble("1e" + precision);
    double scaled = number * scale;
    if (Double.isNaN(scaled) || Double.isInfinite(scaled)) {
      String found = Double.isNaN(scaled) ? "NaN" : "infinity";
      throw new Problem("cannot convert float " + found + " to integer");
    }
    double whole = mode == RoundingMode.CEILING ? Math.ceil(scaled) : Math.floor(scaled);
    if (precision >= 0) {
      return new BigDecimal(whole).scaleByPowerOfTen(-precision).doubleValue();
    }
    if (scale == 0) {
      throw new Problem("float division by zero");
    }
    return (whole + 0.0) / scale; // a whole number of Python's has no negative zero
  }

  /** A whole number stays one. */
  private static Object rounded(Object value, int precision) {
    if (precision < 0) {
      return Numbers.rounded(value, -precision);
    }
    return value instanceof Boolean ? Numbers.whole(value) : value;
  }
}
