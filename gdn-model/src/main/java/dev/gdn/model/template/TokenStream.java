package dev.gdn.model.template;

import dev.gdn.model.error.TemplateException;
import java.util.List;

/** Tokens and how far they are read, with bounded nesting. */
final class TokenStream {
  /** Levels of nesting, of which each takes about a dozen stack frames. */
  private static final int DEPTH = 100;

  private final List<Token> tokens;
  private int position;
  private int depth;

  TokenStream(List<Token> tokens) {
    this.tokens = tokens;
  }

  /** The token that comes next. */
  Token current() {
    return tokens.get(position);
  }

  /** The one behind it. */
  Token following() {
    return tokens.get(Math.min(position + 1, tokens.size() - 1));
  }

  int line() {
    return current().line();
  }

  /** Takes the next token; the end stays. */
  Token take() {
    Token token = current();
    if (token.kind() != Token.Kind.END) {
      position++;
    }
    return token;
  }

  boolean isOperator(String operator) {
    return current().isOperator(operator);
  }

  boolean isName(String name) {
    return current().isName(name);
  }

  boolean skipOperator(String operator) {
    boolean skips = isOperator(operator);
    if (skips) {
      take();
    }
    return skips;
  }

  boolean skipName(String name) {
    boolean skips = isName(name);
    if (skips) {
      take();
    }
    return skips;
  }

  void expectOperator(String operator) {
    if (!skipOperator(operator)) {
      throw unexpected("'" + operator + "'");
    }
  }

  void expectName(String name) {
    if (!skipName(name)) {
      throw unexpected("'" + name + "'");
    }
  }

  Token expect(Token.Kind kind, String expected) {
    if (current().kind() != kind) {
      throw unexpected(expected);
    }
    return take();
  }

  /** Goes one level deeper; {@link #leave} ends it. */
  void enter() {
    if (++depth > DEPTH) {
      throw TemplateException.at(line(), "nested more than " + DEPTH + " levels deep");
    }
  }

  void leave() {
    depth--;
  }

  TemplateException unexpected(String expected) {
    return TemplateException.at(
        line(), "expected %s, found %s".formatted(expected, current().describe()));
  }
}
