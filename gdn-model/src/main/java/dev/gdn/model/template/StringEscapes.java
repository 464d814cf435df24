package dev.gdn.model.template;

import dev.gdn.model.error.TemplateException;

/**
 * The escapes in Python's string literals; an unknown one stands for itself, backslash included.
 */
final class StringEscapes {
  private static final int OCTAL_DIGITS = 3;

  private StringEscapes() {}

  static String resolve(String literal, int line) {
    int backslash = literal.indexOf('\\');
    if (backslash < 0) {
      return literal;
    }
    StringBuilder text = new StringBuilder();
    int at = 0;
    while (backslash >= 0) {
      text.append(literal, at, backslash);
      at = escape(literal, backslash + 1, text, line);
      backslash = literal.indexOf('\\', at);
    }
    return text.append(literal, at, literal.length()).toString();
  }

  /** Appends what the escape stands for whose letter is at {@code at}; returns where it ends. */
  private static int escape(String literal, int at, StringBuilder text, int line) {
    char letter = literal.charAt(at);
    switch (letter) {
      case '\n' -> {}
      case '\\', '\'', '"' -> text.append(letter);
      case 'a' -> text.append('\u0007');
      case 'b' -> text.append('\b');
      case 'f' -> text.append('\f');
      case 'n' -> text.append('\n');
      case 'r' -> text.append('\r');
      case 't' -> text.append('\t');
      case 'v' -> text.append('\u000b');
      case 'x' -> {
        return hexadecimal(literal, at, 2, text, line);
      }
      case 'u' -> {
        return hexadecimal(literal, at, 4, text, line);
      }
      case 'U' -> {
        return hexadecimal(literal, at, 8, text, line);
      }
      case 'N' -> {
        return named(literal, at, text, line);
      }
      case '0', '1', '2', '3', '4', '5', '6', '7' -> {
        int end = at;
        int value = 0;
        while (end < literal.length()
            && end < at + OCTAL_DIGITS
            && literal.charAt(end) >= '0'
            && literal.charAt(end) <= '7') {
          value = value * 8 + literal.charAt(end++) - '0';
        }
        text.append((char) value);
        return end;
      }
      default -> text.append('\\').append(letter);
    }
    return at + 1;
  }

  private static int hexadecimal(String literal, int at, int digits, StringBuilder text, int line) {
    int end = at + 1 + digits;
    if (end <= literal.length()) {
      String hex = literal.substring(at + 1, end);
      if (hex.matches("[0-9a-fA-F]+")) {
        long character = Long.parseLong(hex, 16);
        if (character <= Character.MAX_CODE_POINT) {
          text.appendCodePoint((int) character);
          return end;
        }
      }
    }
    throw TemplateException.at(
        line,
        "expected %d hexadecimal digits of a character behind \\%s"
            .formatted(digits, literal.charAt(at)));
  }

  /** A character by its name, as in {@code \N{BULLET}}. */
  private static int named(String literal, int at, StringBuilder text, int line) {
    int close = literal.indexOf('}', at);
    if (literal.startsWith("{", at + 1) && close > 0) {
      try {
        text.appendCodePoint(Character.codePointOf(literal.substring(at + 2, close)));
        return close + 1;
      } catch (IllegalArgumentException unknown) {
        // the same complaint
      }
    }
    throw TemplateException.at(line, "expected the name of a character in braces behind \\N");
  }
}
