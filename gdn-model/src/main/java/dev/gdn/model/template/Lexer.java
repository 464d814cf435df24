package dev.gdn.model.template;

import dev.gdn.model.error.TemplateException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Cuts a template's source into tokens, with {@code trim_blocks} and {@code lstrip_blocks}: a line
 * feed behind a statement or comment goes, and so do blanks between the start of a line and one. A
 * sign inside the braces says otherwise: with {@code -} all white space on that side goes, with
 * {@code +} none.
 */
final class Lexer {
  private final Source source;
  private final List<Token> tokens = new ArrayList<>();
  private boolean isLineStart = true;

  private Lexer(String template) {
    source = new Source(template);
  }

  /**
   * @throws TemplateException if something is not closed, or no token begins with a character
   */
  static List<Token> tokens(String template) {
    Lexer lexer = new Lexer(template);
    lexer.run();
    return lexer.tokens;
  }

  private void run() {
    while (!source.isAtEnd()) {
      int begin = nextBegin(source.position());
      if (begin < 0) {
        add(Token.Kind.TEXT, source.take(source.rest()));
        break;
      }
      char kind = source.charAt(begin + 1);
      char sign = sign(begin + 2);
      text(begin, kind, sign);
      source.take(sign == 0 ? 2 : 3);
      switch (kind) {
        case '#' -> comment();
        case '{' -> expression("}}", Token.Kind.OUTPUT_BEGIN, Token.Kind.OUTPUT_END);
        default -> {
          if (isRaw()) {
            raw();
          } else {
            expression("%}", Token.Kind.TAG_BEGIN, Token.Kind.TAG_END);
          }
        }
      }
    }
    add(Token.Kind.END, "");
  }

  /** Where the next tag begins, or -1. */
  private int nextBegin(int from) {
    for (int at = source.indexOf("{", from); at >= 0; at = source.indexOf("{", at + 1)) {
      char next = source.charAt(at + 1);
      if (next == '{' || next == '%' || next == '#') {
        return at;
      }
    }
    return -1;
  }

  private char sign(int at) {
    char c = source.charAt(at);
    return c == '-' || c == '+' ? c : 0;
  }

  /** Takes the text before a tag. */
  private void text(int end, char kind, char sign) {
    int line = source.line();
    String text = source.take(end - source.position());
    int length = text.length();
    if (sign == '-') {
      length = blanksFrom(text, 0);
    } else if (sign == 0 && kind != '{') {
      int lineStart = text.lastIndexOf('\n') + 1;
      if ((lineStart > 0 || isLineStart) && blanksFrom(text, lineStart) == lineStart) {
        length = lineStart;
      }
    }
    if (length > 0) {
      tokens.add(new Token(Token.Kind.TEXT, text.substring(0, length), null, line));
    }
  }

  /** Where the white space at the end of a text begins, not before {@code least}. */
  private static int blanksFrom(String text, int least) {
    int from = text.length();
    while (from > least && PythonText.isSpace(text.charAt(from - 1))) {
      from--;
    }
    return from;
  }

  private void comment() {
    int start = source.position();
    int line = source.line();
    int close = source.indexOf("#}", start);
    if (close < 0) {
      throw TemplateException.at(line, "expected #} behind a comment, found the end");
    }
    boolean signed = close > start && sign(close - 1) != 0;
    source.take(close - start - (signed ? 1 : 0));
    end("#}", true);
  }

  private boolean isRaw() {
    int at = source.skipBlanks(source.position());
    return source.startsWith("raw", at) && rawEnd(at + 3) >= 0;
  }

  /** Where the rest of the tag of a raw block's begin ends, or -1 if this is none. */
  private int rawEnd(int from) {
    int at = source.skipBlanks(from);
    if (source.startsWith("-%}", at)) {
      return source.skipBlanks(at + 3);
    }
    return source.startsWith("%}", at) ? at + 2 : -1;
  }

  private void raw() {
    int line = source.line();
    int begin = rawEnd(source.skipBlanks(source.position()) + 3);
    source.take(begin - source.position());
    isLineStart = source.charAt(begin - 1) == '\n';
    for (int at = source.indexOf("{%", begin); at >= 0; at = source.indexOf("{%", at + 1)) {
      char sign = sign(at + 2);
      int name = source.skipBlanks(at + (sign == 0 ? 2 : 3));
      if (source.startsWith("endraw", name)) {
        int close = source.skipBlanks(name + "endraw".length());
        if (isEnd("%}", close, true)) {
          text(at, '%', sign);
          source.take(close - at);
          end("%}", true);
          return;
        }
      }
    }
    throw TemplateException.at(line, "expected {% endraw %}, found the end");
  }

  /** Takes the tokens of a tag, up to and with its end. */
  private void expression(String end, Token.Kind beginKind, Token.Kind endKind) {
    boolean isStatement = endKind == Token.Kind.TAG_END;
    int line = source.line();
    add(beginKind, "");
    Deque<Character> open = new ArrayDeque<>();
    while (true) {
      source.take(source.skipBlanks(source.position()) - source.position());
      if (source.isAtEnd()) {
        throw TemplateException.at(line, "expected " + end + ", found the end of the template");
      }
      if (open.isEmpty() && isEnd(end, source.position(), isStatement)) {
        add(endKind, "");
        end(end, isStatement);
        return;
      }
      Token token = source.token();
      if (token.kind() == Token.Kind.OPERATOR) {
        balance(open, token);
      }
      tokens.add(token);
    }
  }

  private static void balance(Deque<Character> open, Token token) {
    switch (token.text()) {
      case "(" -> open.push(')');
      case "[" -> open.push(']');
      case "{" -> open.push('}');
      case ")", "]", "}" -> {
        if (open.isEmpty() || open.pop() != token.text().charAt(0)) {
          throw TemplateException.at(token.line(), "unexpected '" + token.text() + "'");
        }
      }
      default -> {}
    }
  }

  private boolean isEnd(String end, int at, boolean isStatement) {
    return source.startsWith(end, at)
        || source.startsWith("-" + end, at)
        || (isStatement && source.startsWith("+" + end, at));
  }

  /** Takes the end of a tag and the white space that goes with it. */
  private void end(String end, boolean trims) {
    char sign = sign(source.position());
    int behind = source.position() + end.length() + (sign == 0 ? 0 : 1);
    int next = behind;
    if (sign == '-') {
      next = source.skipBlanks(behind);
    } else if (sign == 0 && trims && source.charAt(behind) == '\n') {
      next = behind + 1;
    }
    source.take(next - source.position());
    isLineStart = source.charAt(next - 1) == '\n';
  }

  private void add(Token.Kind kind, String text) {
    if (kind != Token.Kind.TEXT || !text.isEmpty()) {
      tokens.add(new Token(kind, text, null, source.line()));
    }
  }
}
