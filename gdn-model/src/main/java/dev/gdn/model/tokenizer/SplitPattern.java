package dev.gdn.model.tokenizer;

import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The regular expression that cuts text into pieces. Vocabularies write it in the syntax of
 * Oniguruma; it runs on {@link Pattern}. Only what both read alike is let through, and no repeated
 * group, because {@code Pattern} matches those by recursion: no text can overflow the stack.
 */
final class SplitPattern {
  private static final int MAXIMUM_LENGTH = 4096;
  private static final int MAXIMUM_DEPTH = 32;
  private static final Set<String> CATEGORIES =
      Set.of(
          "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P",
          "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl",
          "Zp", "C", "Cc", "Cf", "Cs", "Co", "Cn");

  private final Pattern pattern;

  private SplitPattern(Pattern pattern) {
    this.pattern = pattern;
  }

  /**
   * @throws IllegalArgumentException if the expression is wrong, or uses what the two engines read
   *     differently
   */
  static SplitPattern of(String expression) {
    if (expression.length() > MAXIMUM_LENGTH) {
      throw problem(
          expression.substring(0, 40) + "…", expression.length() + " characters are too many");
    }
    new Check(expression).run();
    try {
      // Oniguruma's classes and its case folding are Unicode's, and only a line feed ends a line.
      return new SplitPattern(
          Pattern.compile(
              expression,
              Pattern.UNICODE_CHARACTER_CLASS | Pattern.UNICODE_CASE | Pattern.UNIX_LINES));
    } catch (PatternSyntaxException e) {
      throw problem(expression, e.getDescription());
    }
  }

  /** Hands over the matches and the gaps between them, in order, none empty. */
  void split(String text, Consumer<String> pieces) {
    Matcher matcher = pattern.matcher(text);
    int end = 0;
    while (matcher.find()) {
      if (matcher.start() > end) {
        pieces.accept(text.substring(end, matcher.start()));
      }
      end = matcher.end();
      if (end > matcher.start()) {
        pieces.accept(matcher.group());
      }
    }
    if (end < text.length()) {
      pieces.accept(text.substring(end));
    }
  }

  private static IllegalArgumentException problem(String expression, String problem) {
    return new IllegalArgumentException(
        "unsupported split pattern \"%s\": %s".formatted(expression, problem));
  }

  /** One walk over an expression that stops at the first thing not known to be safe. */
  private static final class Check {
    private final String expression;
    private int at;
    private int depth;

    Check(String expression) {
      this.expression = expression;
    }

    void run() {
      while (at < expression.length()) {
        char character = expression.charAt(at);
        switch (character) {
          case '\\' -> escape();
          case '[' -> characterClass();
          case '(' -> group();
          case ')' -> groupEnd();
          case '}' -> intervalEnd();
          case '^', '$' -> throw refuse("the anchor " + character);
          default -> at++;
        }
      }
    }

    private void escape() {
      if (at + 1 == expression.length()) {
        throw refuse("a backslash at the end");
      }
      char escaped = expression.charAt(at + 1);
      if (escaped == 'p' || escaped == 'P') {
        int end = expression.indexOf('}', at);
        if (expression.charAt(Math.min(at + 2, expression.length() - 1)) != '{'
            || end < 0
            || !CATEGORIES.contains(expression.substring(at + 3, end))) {
          throw refuse("a property other than a Unicode general category");
        }
        at = end + 1;
      } else if ("sSdDrntf".indexOf(escaped) >= 0 || (escaped < 128 && !isWordLike(escaped))) {
        at += 2;
      } else {
        throw refuse("\\" + escaped);
      }
    }

    private static boolean isWordLike(char character) {
      return Character.isLetterOrDigit(character) || character == '<' || character == '>';
    }

    private void characterClass() {
      at++;
      if (peek('^')) {
        at++;
      }
      if (peek(']')) {
        throw refuse("an empty character class");
      }
      while (!peek(']')) {
        if (at >= expression.length()) {
          throw refuse("a character class without an end");
        }
        if (peek('[') || expression.startsWith("&&", at)) {
          throw refuse("a character class in a character class");
        }
        if (peek('\\')) {
          escape();
        } else {
          at++;
        }
      }
      at++;
    }

    private void group() {
      if (++depth > MAXIMUM_DEPTH) {
        throw refuse("groups more than " + MAXIMUM_DEPTH + " deep");
      }
      at++;
      if (peek('?')) {
        String kind = null;
        for (String known : new String[] {"?:", "?i:", "?=", "?!"}) {
          if (expression.startsWith(known, at)) {
            kind = known;
          }
        }
        if (kind == null) {
          throw refuse("a group that is none of (?: (?i: (?= (?!");
        }
        at += kind.length();
      }
    }

    private void groupEnd() {
      depth--;
      at++;
      if (peek('*') || peek('+') || peek('{')) {
        throw refuse("a repeated group");
      }
    }

    private void intervalEnd() {
      at++;
      if (peek('+')) {
        throw refuse("a possessive interval");
      }
    }

    private boolean peek(char character) {
      return at < expression.length() && expression.charAt(at) == character;
    }

    private IllegalArgumentException refuse(String what) {
      return problem(expression, what + " (at character " + at + ")");
    }
  }
}
