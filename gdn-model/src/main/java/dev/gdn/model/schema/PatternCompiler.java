package dev.gdn.model.schema;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes a grammar of JSON strings of a pattern, as ECMA-262 writes it: characters, sets, groups,
 * alternatives and counts, with anchors at the ends. Anything else is refused by its name.
 */
final class PatternCompiler {
  private static final int LONGEST = 1000;
  private static final int DEPTH = 50;
  private static final int MOST = 1000;

  private static final CodePointSet DIGIT = CodePointSet.range('0', '9');
  private static final CodePointSet WORD =
      DIGIT
          .or(CodePointSet.range('a', 'z'))
          .or(CodePointSet.range('A', 'Z'))
          .or(CodePointSet.of("_"));
  private static final CodePointSet LINE_ENDS = CodePointSet.of("\n\r\u2028\u2029");
  private static final CodePointSet SPACE =
      LINE_ENDS
          .or(CodePointSet.of("\t\u000b\f \u00a0\u1680\u202f\u205f\u3000\ufeff"))
          .or(CodePointSet.range(0x2000, 0x200a));
  private static final Node ANYTHING =
      new Node.Repeat(CodePointSet.ALL.inJson(), 0, Node.Repeat.UNBOUNDED);

  private final String pattern;
  private final String place;
  private int at;

  private PatternCompiler(String pattern, String place) {
    this.pattern = pattern;
    this.place = place;
  }

  /** A part, and whether it matches nothing at all. */
  private record Part(Node node, boolean mayBeEmpty) {}

  /**
   * The strings, in quotes, in which the pattern is found.
   *
   * @param place of the pattern in the schema
   * @throws IllegalArgumentException if it is no pattern, or uses what is not supported
   */
  static Node string(String pattern, String place) {
    if (pattern.length() > LONGEST) {
      throw new IllegalArgumentException(
          "schema%s: expected at most %d characters, found %d"
              .formatted(place, LONGEST, pattern.length()));
    }
    PatternCompiler compiler = new PatternCompiler(pattern, place);
    List<Node> alternatives = new ArrayList<>();
    do {
      alternatives.add(compiler.anchored());
    } while (compiler.accept('|'));
    if (compiler.at < pattern.length()) {
      throw compiler.problem("the pattern's end");
    }
    return Nodes.sequence(Nodes.text("\""), new Node.Choice(alternatives), Nodes.text("\""));
  }

  private Node anchored() {
    boolean begins = accept('^');
    Part part = sequence(0);
    boolean ends = accept('$');
    return Nodes.sequence(begins ? Node.EMPTY : ANYTHING, part.node, ends ? Node.EMPTY : ANYTHING);
  }

  private Part alternatives(int depth) {
    List<Node> options = new ArrayList<>();
    boolean empty = false;
    do {
      Part part = sequence(depth);
      options.add(part.node);
      empty |= part.mayBeEmpty;
    } while (accept('|'));
    return new Part(new Node.Choice(options), empty);
  }

  private Part sequence(int depth) {
    List<Node> parts = new ArrayList<>();
    boolean empty = true;
    while (at < pattern.length() && "|)$".indexOf(pattern.charAt(at)) < 0) {
      Part part = counted(depth);
      parts.add(part.node);
      empty &= part.mayBeEmpty;
    }
    return new Part(new Node.Sequence(parts), empty);
  }

  private Part counted(int depth) {
    Part part = one(depth);
    int min;
    int max;
    if (accept('*')) {
      min = 0;
      max = Node.Repeat.UNBOUNDED;
    } else if (accept('+')) {
      min = 1;
      max = Node.Repeat.UNBOUNDED;
    } else if (accept('?')) {
      min = 0;
      max = 1;
    } else if (accept('{')) {
      min = number();
      max = !accept(',') ? min : at("}") ? Node.Repeat.UNBOUNDED : number();
      expect('}');
      if (min > max) {
        throw problem("counts in order");
      }
    } else {
      return part;
    }
    accept('?'); // of the same strings the shortest one first: which ones match does not change
    if (at("*") || at("+") || at("{")) {
      throw problem("something to repeat");
    }
    if (part.mayBeEmpty && max > 1) {
      throw problem("no repetition of what may be empty");
    }
    return new Part(
        part.mayBeEmpty
            ? Nodes.choice(Node.EMPTY, part.node)
            : new Node.Repeat(part.node, min, max),
        part.mayBeEmpty || min == 0);
  }

  private int number() {
    int from = at;
    while (at < pattern.length() && DIGIT.contains(pattern.charAt(at)) && at - from < 5) {
      at++;
    }
    int number = at == from ? MOST + 1 : Integer.parseInt(pattern.substring(from, at));
    if (number > MOST) {
      at = from;
      throw problem("a count of at most " + MOST);
    }
    return number;
  }

  private Part one(int depth) {
    if (accept('(')) {
      if (at("?") && !at("?:")) {
        throw problem("a plain group or (?:, no assertion or name");
      }
      if (accept('?')) {
        at++;
      }
      if (depth == DEPTH) {
        throw problem("groups nested at most %d deep".formatted(DEPTH));
      }
      Part part = alternatives(depth + 1);
      expect(')');
      return part;
    }
    return new Part(node(set()), false);
  }

  private Node node(CodePointSet set) {
    if (set.isEmpty()) {
      throw problem("a set of at least one character");
    }
    return set.inJson();
  }

  private CodePointSet set() {
    if (accept('[')) {
      return bracket();
    }
    if (accept('.')) {
      return LINE_ENDS.complement();
    }
    if (accept('\\')) {
      return escape();
    }
    if ("^*+?{}]".indexOf(pattern.charAt(at)) >= 0) {
      throw problem("an ordinary character, or a \\ before it");
    }
    return literal();
  }

  private CodePointSet literal() {
    if (at == pattern.length()) {
      throw problem("a character");
    }
    int c = pattern.codePointAt(at);
    if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
      throw problem("no half of a surrogate pair");
    }
    at += Character.charCount(c);
    return CodePointSet.range(c, c);
  }

  private CodePointSet bracket() {
    boolean negated = accept('^');
    CodePointSet all = CodePointSet.of("");
    while (!accept(']')) {
      int from = at;
      CodePointSet item = accept('\\') ? escape() : literal();
      if (at("-") && !at("-]")) {
        at++;
        CodePointSet last = accept('\\') ? escape() : literal();
        if (item.single() < 0 || last.single() < item.single()) {
          at = from;
          throw problem("a range from one character to a later one");
        }
        item = CodePointSet.range(item.single(), last.single());
      }
      all = all.or(item);
    }
    return negated ? all.complement() : all;
  }

  private CodePointSet escape() {
    if (at == pattern.length()) {
      throw problem("a character behind \\");
    }
    char c = pattern.charAt(at);
    at++;
    return switch (c) {
      case 'd' -> DIGIT;
      case 'D' -> DIGIT.complement();
      case 'w' -> WORD;
      case 'W' -> WORD.complement();
      case 's' -> SPACE;
      case 'S' -> SPACE.complement();
      case 'n' -> CodePointSet.of("\n");
      case 'r' -> CodePointSet.of("\r");
      case 't' -> CodePointSet.of("\t");
      case 'f' -> CodePointSet.of("\f");
      case 'v' -> CodePointSet.of("\u000b");
      case 'x' -> hexadecimal(2);
      case 'u' -> hexadecimal(4);
      default -> {
        at--;
        if (Character.isLetterOrDigit(c)) {
          throw problem("one of \\d \\D \\w \\W \\s \\S \\n \\r \\t \\f \\v \\x \\u");
        }
        yield literal();
      }
    };
  }

  private CodePointSet hexadecimal(int digits) {
    int value = 0;
    for (int i = 0; i < digits; i++) {
      int digit = at < pattern.length() ? Character.digit(pattern.charAt(at), 16) : -1;
      if (digit < 0) {
        throw problem("%d hexadecimal digits".formatted(digits));
      }
      value = value * 16 + digit;
      at++;
    }
    if (value >= Character.MIN_SURROGATE && value <= Character.MAX_SURROGATE) {
      throw problem("no half of a surrogate pair");
    }
    return CodePointSet.range(value, value);
  }

  private boolean at(String text) {
    return pattern.startsWith(text, at);
  }

  private boolean accept(char c) {
    boolean there = at < pattern.length() && pattern.charAt(at) == c;
    if (there) {
      at++;
    }
    return there;
  }

  private void expect(char c) {
    if (!accept(c)) {
      throw problem("\"" + c + "\"");
    }
  }

  private IllegalArgumentException problem(String expected) {
    return new IllegalArgumentException(
        "schema%s: expected %s at place %d of the pattern, found %s"
            .formatted(
                place,
                expected,
                at,
                at < pattern.length() ? "\"" + pattern.substring(at) + "\"" : "its end"));
  }
}
