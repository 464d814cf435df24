package dev.gdn.model.template;

import dev.gdn.model.error.TemplateException;
import java.util.List;

/** A template's text and how far it is read; it reads the tokens inside of tags. */
final class Source {
  private static final List<String> OPERATORS =
      List.of(
          "**", "//", "==", "!=", "<=", ">=", "+", "-", "*", "/", "%", "(", ")", "[", "]", "{", "}",
          "<", ">", "=", ".", ":", "|", ",", "~");

  private final String text;
  private int position;
  private int line = 1;

  /** The line feed at the end, if there is one, is no part of a template. */
  Source(String template) {
    String lines = template.replace("\r\n", "\n").replace('\r', '\n');
    text = lines.endsWith("\n") ? lines.substring(0, lines.length() - 1) : lines;
  }

  boolean isAtEnd() {
    return position == text.length();
  }

  int position() {
    return position;
  }

  int rest() {
    return text.length() - position;
  }

  /** The line of the position, from 1. */
  int line() {
    return line;
  }

  /** A character, or 0 behind the last. */
  char charAt(int at) {
    return at < text.length() ? text.charAt(at) : 0;
  }

  int indexOf(String part, int from) {
    return text.indexOf(part, from);
  }

  boolean startsWith(String part, int at) {
    return text.startsWith(part, at);
  }

  /** The first place from {@code at} on that holds no white space. */
  int skipBlanks(int at) {
    int end = at;
    while (end < text.length() && PythonText.isSpace(text.charAt(end))) {
      end++;
    }
    return end;
  }

  /** Takes characters. */
  String take(int count) {
    String taken = text.substring(position, position + count);
    position += count;
    line += (int) taken.chars().filter(c -> c == '\n').count();
    return taken;
  }

  /** Takes a token of an expression, which begins at the position. */
  Token token() {
    int start = line;
    char first = text.charAt(position);
    if (first >= '0' && first <= '9') {
      return number();
    }
    if (Character.isUnicodeIdentifierStart(first) || first == '_') {
      return new Token(Token.Kind.NAME, take(nameEnd() - position), null, start);
    }
    if (first == '\'' || first == '"') {
      return new Token(Token.Kind.STRING, string(first), null, start);
    }
    for (String operator : OPERATORS) {
      if (text.startsWith(operator, position)) {
        return new Token(Token.Kind.OPERATOR, take(operator.length()), null, start);
      }
    }
    throw TemplateException.at(
        line, "unexpected character '" + Character.toString(text.codePointAt(position)) + "'");
  }

  private int nameEnd() {
    int end = position;
    while (end < text.length()
        && Character.isUnicodeIdentifierPart(text.charAt(end))
        && !Character.isIdentifierIgnorable(text.charAt(end))) {
      end++;
    }
    return end;
  }

  /** Digits, with a fraction unless a dot stands before them as in {@code items.0.name}. */
  private Token number() {
    boolean isKey = position > 0 && text.charAt(position - 1) == '.';
    int end = digits(position);
    boolean isReal = false;
    if (!isKey && charAt(end) == '.' && digits(end + 1) > end + 1) {
      end = digits(end + 1);
      isReal = true;
    }
    if (!isKey && (charAt(end) | 0x20) == 'e') {
      int from = end + (charAt(end + 1) == '-' || charAt(end + 1) == '+' ? 2 : 1);
      if (digits(from) > from) {
        end = digits(from);
        isReal = true;
      }
    }
    int start = line;
    String digits = take(end - position).replace("_", "");
    try {
      Object value = isReal ? (Object) Double.valueOf(digits) : Long.valueOf(digits);
      return new Token(Token.Kind.NUMBER, digits, value, start);
    } catch (NumberFormatException tooLarge) {
      throw TemplateException.at(start, "expected a whole number of 64 bits, found a larger one");
    }
  }

  /** The end of digits, which may have single underscores between them. */
  private int digits(int from) {
    int end = from;
    while (isDigit(end) || (end > from && charAt(end) == '_' && isDigit(end + 1))) {
      end++;
    }
    return end;
  }

  private boolean isDigit(int at) {
    return charAt(at) >= '0' && charAt(at) <= '9';
  }

  private String string(char quote) {
    int start = line;
    int end = position + 1;
    while (charAt(end) != quote) {
      end += charAt(end) == '\\' ? 2 : 1;
      if (end >= text.length()) {
        throw TemplateException.at(start, "expected " + quote + " behind a string, found the end");
      }
    }
    String taken = take(end + 1 - position);
    return StringEscapes.resolve(taken.substring(1, taken.length() - 1), start);
  }
}
