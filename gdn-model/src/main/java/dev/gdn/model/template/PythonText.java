package dev.gdn.model.template;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/** Values as the text that Python's {@code str} and {@code repr} make of them. */
final class PythonText {
  private PythonText() {}

  /** {@code str(value)}. */
  static String str(Object value, Budget budget) {
    if (value instanceof String text) {
      return text;
    }
    Text out = new Text(budget);
    if (!(value instanceof Undefined)) {
      repr(value, out, budget);
    }
    return out.toString();
  }

  private static void repr(Object value, Text out, Budget budget) {
    budget.enter();
    switch (value) {
      case null -> out.append("None");
      case Boolean flag -> out.append(flag ? "True" : "False");
      case Long number -> out.append(number.toString());
      case BigInteger number -> out.append(number.toString());
      case Double number -> out.append(real(number));
      case String text -> quote(text, out);
      case List<?> list -> {
        out.append('[');
        join(list, out, budget);
        out.append(']');
      }
      case Tuple tuple -> {
        out.append('(');
        join(tuple.items(), out, budget);
        out.append(tuple.items().size() == 1 ? ",)" : ")");
      }
      case Map<?, ?> map -> {
        out.append('{');
        map(map, out, budget);
        out.append('}');
      }
      case Undefined _ -> out.append("Undefined");
      case Namespace space -> {
        out.append("<Namespace {");
        map(space.attributes(), out, budget);
        out.append("}>");
      }
      default -> out.append("<" + Values.typeName(value) + ">");
    }
    budget.leave();
  }

  private static void join(List<?> items, Text out, Budget budget) {
    for (int i = 0; i < items.size(); i++) {
      out.append(i == 0 ? "" : ", ");
      repr(items.get(i), out, budget);
    }
  }

  private static void map(Map<?, ?> map, Text out, Budget budget) {
    String comma = "";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      out.append(comma);
      repr(entry.getKey(), out, budget);
      out.append(": ");
      repr(entry.getValue(), out, budget);
      comma = ", ";
    }
  }

  private static void quote(String text, Text out) {
    char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
    out.append(quote);
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\\' -> out.append("\\\\");
                default -> {
                  if (c == quote) {
                    out.append('\\').append(quote);
                  } else if (isPrintable(c)) {
                    out.append(Character.toString(c));
                  } else {
                    String format = c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x";
                    out.append(format.formatted(c));
                  }
                }
              }
            });
    out.append(quote);
  }

  private static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> c == ' ';
      default -> true;
    };
  }

  /** {@code repr} of a float: the shortest digits, with an exponent below 1e-4 and from 1e16. */
  static String real(double number) {
    if (Double.isNaN(number)) {
      return "nan";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "inf" : "-inf";
    }
    if (number == 0) {
      return 1 / number > 0 ? "0.0" : "-0.0";
    }
    BigDecimal decimal = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    String digits = decimal.unscaledValue().abs().toString();
    String sign = decimal.signum() < 0 ? "-" : "";
    int exponent = digits.length() - 1 - decimal.scale();
    if (exponent < -4 || exponent >= 16) {
      String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
      return "%s%s%se%s%02d"
          .formatted(
              sign, digits.charAt(0), fraction, exponent < 0 ? "-" : "+", Math.abs(exponent));
    }
    String plain = decimal.toPlainString();
    return plain.contains(".") ? plain : plain + ".0";
  }

  /** Whether Python counts a character as white space. */
  static boolean isSpace(int c) {
    return switch (c) {
      case '\t', '\n', 0x0b, '\f', '\r', 0x1c, 0x1d, 0x1e, 0x1f, ' ' -> true;
      case 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000 -> true;
      default -> c >= 0x2000 && c <= 0x200a;
    };
  }

  /** The order of texts by code points; {@code String.compareTo} has that of UTF-16. */
  static int compare(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        boolean apart = Character.isSurrogate(x) != Character.isSurrogate(y);
        return apart ? (Character.isSurrogate(x) ? 1 : -1) : Character.compare(x, y);
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
