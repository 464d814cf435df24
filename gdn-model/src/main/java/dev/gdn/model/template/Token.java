package dev.gdn.model.template;

/**
 * A piece of a template's source.
 *
 * @param kind what it is
 * @param text text between tags as it is printed, a name, an operator, or a string without its
 *     quotes and escapes
 * @param number the value of a number, else null
 * @param line where it begins, from 1
 */
record Token(Kind kind, String text, Object number, int line) {
  /** What a token is. */
  enum Kind {
    /** Text outside of tags. */
    TEXT,
    /** The two braces before an expression that is printed. */
    OUTPUT_BEGIN,
    /** Those behind it. */
    OUTPUT_END,
    /** The brace and percent sign before a statement. */
    TAG_BEGIN,
    /** Those behind it. */
    TAG_END,
    NAME,
    STRING,
    NUMBER,
    OPERATOR,
    /** Behind the last token. */
    END
  }

  boolean isOperator(String operator) {
    return kind == Kind.OPERATOR && text.equals(operator);
  }

  boolean isName(String name) {
    return kind == Kind.NAME && text.equals(name);
  }

  /** How messages call it. */
  String describe() {
    return switch (kind) {
      case END -> "the end of the template";
      case TEXT -> "text";
      case OUTPUT_BEGIN -> "{{";
      case OUTPUT_END -> "}}";
      case TAG_BEGIN -> "{%";
      case TAG_END -> "%}";
      case STRING -> "a string";
      case NUMBER -> "the number " + number;
      case NAME, OPERATOR -> "'" + text + "'";
    };
  }
}
