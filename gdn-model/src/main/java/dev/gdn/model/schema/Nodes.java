package dev.gdn.model.schema;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** The parts that JSON is written with. */
final class Nodes {
  /** Digits of an integer, and of a fraction: what a long and a double hold. */
  static final int DIGITS = 18;

  /** Spaces behind a line feed. */
  private static final int INDENT = 20;

  /** Nothing, a space, or a line feed with an indent: bounded, for models like to go on with it. */
  static final Node SPACE =
      choice(
          Node.EMPTY,
          text(" "),
          sequence(text("\n"), new Node.Repeat(one(ByteSet.of(" \t")), 0, INDENT)));

  static final ByteSet DIGIT = ByteSet.range('0', '9');
  private static final ByteSet HEX = DIGIT.or(ByteSet.of("abcdefABCDEF"));

  static final Node INTEGER =
      sequence(
          choice(Node.EMPTY, text("-")),
          choice(
              text("0"),
              sequence(one(ByteSet.range('1', '9')), new Node.Repeat(one(DIGIT), 0, DIGITS - 1))));

  static final Node NUMBER =
      sequence(
          INTEGER,
          choice(Node.EMPTY, sequence(text("."), new Node.Repeat(one(DIGIT), 1, DIGITS))),
          choice(
              Node.EMPTY,
              sequence(
                  one(ByteSet.of("eE")),
                  choice(Node.EMPTY, one(ByteSet.of("+-"))),
                  new Node.Repeat(one(DIGIT), 1, 2))));

  /** One Unicode character outside ASCII, in UTF-8, as RFC 3629 defines it. */
  static final Node NON_ASCII = nonAscii();

  /** ASCII characters that stand in a string as they are. */
  static final ByteSet PLAIN = ByteSet.range(0x20, 0x7f).without(ByteSet.of("\"\\"));

  /** One Unicode character of a string, plain or escaped; no half of a surrogate pair. */
  static final Node CHARACTER =
      choice(
          one(PLAIN),
          NON_ASCII,
          sequence(
              text("\\"),
              choice(
                  one(ByteSet.of("\"\\/bfnrt")),
                  sequence(
                      text("u"),
                      choice(
                          sequence(one(HEX.without(ByteSet.of("dD"))), one(HEX)),
                          sequence(one(ByteSet.of("dD")), one(ByteSet.range('0', '7')))),
                      one(HEX),
                      one(HEX)))));

  private Nodes() {}

  static Node text(String text) {
    return new Node.Literal(text.getBytes(StandardCharsets.UTF_8));
  }

  static Node one(ByteSet set) {
    return new Node.OneByte(set);
  }

  static Node sequence(Node... items) {
    return new Node.Sequence(List.of(items));
  }

  static Node choice(Node... options) {
    return new Node.Choice(List.of(options));
  }

  /** A string of that many characters. */
  static Node string(int min, int max) {
    return sequence(text("\""), new Node.Repeat(CHARACTER, min, max), text("\""));
  }

  /** An array of that many items. */
  static Node array(Node item, int min, int max) {
    Node none = sequence(text("["), SPACE, text("]"));
    if (max == 0) {
      return none;
    }
    int more = max == Node.Repeat.UNBOUNDED ? max : max - 1;
    Node some =
        sequence(
            text("["),
            SPACE,
            item,
            new Node.Repeat(sequence(text(","), SPACE, item), Math.max(0, min - 1), more),
            SPACE,
            text("]"));
    return min == 0 ? choice(none, some) : some;
  }

  private static Node nonAscii() {
    Node next = range(0x80, 0xbf);
    return choice(
        sequence(range(0xc2, 0xdf), next),
        sequence(range(0xe0, 0xe0), range(0xa0, 0xbf), next),
        sequence(range(0xe1, 0xec), next, next),
        sequence(range(0xed, 0xed), range(0x80, 0x9f), next),
        sequence(range(0xee, 0xef), next, next),
        sequence(range(0xf0, 0xf0), range(0x90, 0xbf), next, next),
        sequence(range(0xf1, 0xf3), next, next, next),
        sequence(range(0xf4, 0xf4), range(0x80, 0x8f), next, next));
  }

  private static Node range(int first, int last) {
    return one(ByteSet.range(first, last));
  }
}
