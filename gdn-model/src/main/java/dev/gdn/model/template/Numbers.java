package dev.gdn.model.template;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * Arithmetic of Python's numbers. Whole numbers that a template computes are of 64 bits, larger
 * ones are refused.
 */
final class Numbers {
  private Numbers() {}

  /** The order of two numbers, exact also between whole numbers and floats. */
  static Order order(Object a, Object b) {
    if (!(a instanceof Double) && !(b instanceof Double)) {
      return Order.of(decimal(a).compareTo(decimal(b)));
    }
    double x = real(a);
    double y = real(b);
    if (Double.isNaN(x) || Double.isNaN(y)) {
      return Order.NONE;
    }
    if (x != y || (a instanceof Double && b instanceof Double)) {
      return x == y ? Order.EQUAL : x < y ? Order.LESS : Order.GREATER;
    }
    if (Double.isInfinite(x)) { // a whole number beyond all floats, and infinity
      return a instanceof Double == x > 0 ? Order.GREATER : Order.LESS;
    }
    // A float is the nearest one of many whole numbers.
    return Order.of(decimal(a).compareTo(decimal(b)));
  }

  private static BigDecimal decimal(Object value) {
    return switch (value) {
      case Double number -> new BigDecimal(number);
      case BigInteger number -> new BigDecimal(number);
      default -> BigDecimal.valueOf(whole(value));
    };
  }

  static double real(Object value) {
    return switch (value) {
      case Double number -> number;
      case BigInteger number -> number.doubleValue();
      default -> whole(value);
    };
  }

  /** A whole number of 64 bits. */
  static long whole(Object value) {
    return switch (value) {
      case Long number -> number;
      case Boolean flag -> flag ? 1 : 0;
      case BigInteger _ -> throw tooLarge();
      case null, default ->
          throw new Problem("expected a whole number, found " + Values.typeName(value));
    };
  }

  static Problem tooLarge() {
    return new Problem("expected a whole number of 64 bits, found a larger one");
  }

  /** The result of a binary operator on numbers. */
  static Object apply(String operator, Object a, Object b) {
    boolean isReal = a instanceof Double || b instanceof Double || operator.equals("/");
    try {
      return isReal ? real(operator, real(a), real(b)) : whole(operator, whole(a), whole(b));
    } catch (ArithmeticException overflow) {
      throw tooLarge();
    }
  }

  private static Object real(String operator, double a, double b) {
    if (b == 0 && (operator.equals("/") || operator.equals("//") || operator.equals("%"))) {
      throw new Problem("division by zero");
    }
    return switch (operator) {
      case "+" -> a + b;
      case "-" -> a - b;
      case "*" -> a * b;
      case "/" -> a / b;
      case "//" -> floorDivide(a, b);
      case "%" -> modulo(a, b);
      default -> Math.pow(a, b);
    };
  }

  /** The remainder with the sign of the divisor, zero too. */
  private static double modulo(double a, double b) {
    double rest = a % b;
    if (rest == 0) {
      return Math.copySign(0.0, b);
    }
    return rest < 0 != b < 0 ? rest + b : rest;
  }

  private static double floorDivide(double a, double b) {
    double rest = a % b;
    double quotient = (a - rest) / b - (rest != 0 && rest < 0 != b < 0 ? 1 : 0);
    return quotient == 0 ? Math.copySign(0.0, a / b) : Math.rint(quotient);
  }

  private static Object whole(String operator, long a, long b) {
    if (b == 0 && (operator.equals("//") || operator.equals("%"))) {
      throw new Problem("integer division or modulo by zero");
    }
    return switch (operator) {
      case "+" -> Math.addExact(a, b);
      case "-" -> Math.subtractExact(a, b);
      case "*" -> Math.multiplyExact(a, b);
      case "//" -> Math.floorDivExact(a, b);
      case "%" -> Math.floorMod(a, b);
      default -> power(a, b);
    };
  }

  private static Object power(long base, long exponent) {
    if (exponent < 0) {
      return Math.pow(base, exponent);
    }
    long result = 1;
    long square = base;
    for (long rest = exponent; rest > 0; rest >>= 1) {
      if ((rest & 1) == 1) {
        result = Math.multiplyExact(result, square);
      }
      if (rest > 1) {
        square = Math.multiplyExact(square, square);
      }
    }
    return result;
  }

  /** A whole number to the nearest ten, hundred and so on, ties to the even one. */
  static long rounded(Object value, int zeros) {
    try {
      return decimal(value).setScale(-zeros, RoundingMode.HALF_EVEN).longValueExact();
    } catch (ArithmeticException overflow) {
      throw tooLarge();
    }
  }

  static Object negate(Object value) {
    return value instanceof Double number ? (Object) (-number) : apply("-", 0L, value);
  }
}
