package dev.gdn.model.template;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers that texts stand for, as Python's {@code int} and {@code float} read them. */
final class NumberText {
  private static final Pattern REAL =
      Pattern.compile("[+-]?([0-9]++\\.?+[0-9]*+|\\.[0-9]++)([eE][+-]?[0-9]+)?");
  private static final Pattern SPECIAL =
      Pattern.compile("([+-]?)(nan|inf|infinity)", Pattern.CASE_INSENSITIVE);

  /** An underscore that has not a digit on either side. */
  private static final Pattern STRAY_UNDERSCORE = Pattern.compile("(?<![0-9])_|_(?![0-9])");

  private NumberText() {}

  /**
   * A whole number.
   *
   * @param base from 2 to 36, or 0 for the one that a prefix such as {@code 0x} says, else 10
   * @throws NumberFormatException if the text is none
   * @throws Problem if it takes more than 64 bits
   */
  static long whole(String text, int base) {
    String digits = plain(text);
    String sign = digits.startsWith("-") || digits.startsWith("+") ? digits.substring(0, 1) : "";
    digits = digits.substring(sign.length());
    int radix = base;
    int prefixed = prefixBase(digits);
    if (prefixed != 0 && (base == 0 || base == prefixed)) {
      radix = prefixed;
      digits = digits.substring(digits.startsWith("_", 2) ? 3 : 2);
    } else if (base == 0) {
      radix = 10;
      if (digits.startsWith("0") && !digits.matches("[0_]+")) {
        throw new NumberFormatException(); // what was once octal
      }
    }
    if (!areDigits(digits, radix)) {
      throw new NumberFormatException();
    }
    try {
      return Long.parseLong(sign + digits.replace("_", ""), radix);
    } catch (NumberFormatException tooLarge) {
      throw Numbers.tooLarge();
    }
  }

  /** The base that a prefix says, or 0 if there is none. */
  private static int prefixBase(String digits) {
    if (digits.length() < 2 || digits.charAt(0) != '0') {
      return 0;
    }
    return switch (digits.charAt(1)) {
      case 'x', 'X' -> 16;
      case 'o', 'O' -> 8;
      case 'b', 'B' -> 2;
      default -> 0;
    };
  }

  /** Whether there are digits of a base alone, and single underscores between them. */
  private static boolean areDigits(String digits, int base) {
    return base >= Character.MIN_RADIX
        && base <= Character.MAX_RADIX
        && !digits.isEmpty()
        && !digits.startsWith("_")
        && !digits.endsWith("_")
        && !digits.contains("__")
        && digits.chars().allMatch(c -> c == '_' || (c < 0x80 && Character.digit(c, base) >= 0));
  }

  /**
   * A float.
   *
   * @throws NumberFormatException if the text is none
   */
  static double real(String text) {
    String digits = plain(text);
    Matcher special = SPECIAL.matcher(digits);
    if (special.matches()) {
      double value =
          special.group(2).equalsIgnoreCase("nan") ? Double.NaN : Double.POSITIVE_INFINITY;
      return special.group(1).equals("-") ? -value : value;
    }
    String joined = digits.replace("_", "");
    if (!REAL.matcher(joined).matches() || STRAY_UNDERSCORE.matcher(digits).find()) {
      throw new NumberFormatException();
    }
    return Double.parseDouble(joined);
  }

  /** White space around numbers: to Python, the separators of ASCII are none there. */
  private static boolean isSpace(int c) {
    return PythonText.isSpace(c) && (c < 0x1c || c > 0x1f);
  }

  /** Without white space around it, and with the digits of any script as those of ASCII. */
  private static String plain(String text) {
    String stripped = StringMethods.strip(text, NumberText::isSpace, true, true);
    if (stripped.chars().allMatch(c -> c < 0x80)) {
      return stripped;
    }
    StringBuilder plain = new StringBuilder();
    stripped
        .codePoints()
        .map(c -> Character.isDigit(c) ? '0' + Character.digit(c, 10) : c)
        .forEach(plain::appendCodePoint);
    return plain.toString();
  }
}
