package dev.gdn.model.schema;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A set of Unicode characters, without surrogates, as ranges in order. Immutable. */
final class CodePointSet {
  private static final int LAST = Character.MAX_CODE_POINT;

  /** All characters. */
  static final CodePointSet ALL = new CodePointSet(List.of(new Range(0, LAST)));

  /** What each range of UTF-8 lengths ends with. */
  private static final int[] LAST_OF_LENGTH = {0x7f, 0x7ff, 0xffff, LAST};

  private record Range(int first, int last) {}

  private final List<Range> ranges; // ascending, apart

  private CodePointSet(List<Range> ranges) {
    this.ranges = ranges;
  }

  /** The characters of a string. */
  static CodePointSet of(String characters) {
    CodePointSet set = new CodePointSet(List.of());
    for (int c : characters.codePoints().toArray()) {
      set = set.or(range(c, c));
    }
    return set;
  }

  /** The characters from first to last. */
  static CodePointSet range(int first, int last) {
    return new CodePointSet(List.of(new Range(first, last)));
  }

  CodePointSet or(CodePointSet other) {
    List<Range> all = new ArrayList<>(ranges);
    all.addAll(other.ranges);
    all.sort((a, b) -> Integer.compare(a.first, b.first));
    List<Range> merged = new ArrayList<>();
    for (Range range : all) {
      Range before = merged.isEmpty() ? null : merged.getLast();
      if (before != null && range.first <= before.last + 1) {
        merged.set(merged.size() - 1, new Range(before.first, Math.max(before.last, range.last)));
      } else {
        merged.add(range);
      }
    }
    return new CodePointSet(merged);
  }

  CodePointSet complement() {
    List<Range> rest = new ArrayList<>();
    int next = 0;
    for (Range range : ranges) {
      if (range.first > next) {
        rest.add(new Range(next, range.first - 1));
      }
      next = range.last + 1;
    }
    if (next <= LAST) {
      rest.add(new Range(next, LAST));
    }
    return new CodePointSet(rest);
  }

  private CodePointSet without(CodePointSet other) {
    return complement().or(other).complement();
  }

  /** The only character; -1 if there is none or several. */
  int single() {
    return ranges.size() == 1 && ranges.getFirst().first == ranges.getFirst().last
        ? ranges.getFirst().first
        : -1;
  }

  boolean contains(int character) {
    return ranges.stream().anyMatch(r -> r.first <= character && character <= r.last);
  }

  /** One of the characters as it stands in a JSON string: escaped only where it must be. */
  Node inJson() {
    List<Node> options = new ArrayList<>();
    CodePointSet escaped = range(0, 0x1f).or(of("\"\\"));
    for (Range range : without(escaped).ranges) {
      utf8(range, options);
    }
    for (int c = 0; c <= '\\'; c++) {
      if (escaped.contains(c) && contains(c)) {
        options.add(Nodes.text(escape(c)));
      }
    }
    return new Node.Choice(options);
  }

  boolean isEmpty() {
    return ranges.isEmpty();
  }

  private static String escape(int c) {
    int at = "\"\\\b\f\n\r\t".indexOf(c);
    return at < 0 ? "\\u%04x".formatted(c) : "\\" + "\"\\bfnrt".charAt(at);
  }

  private static void utf8(Range range, List<Node> options) {
    int first = range.first;
    for (int most : LAST_OF_LENGTH) {
      int last = Math.min(range.last, most);
      if (first <= last) {
        // No UTF-8 stands for a surrogate.
        if (first <= 0xdfff && last >= 0xd800) {
          bytes(first, Math.min(last, 0xd7ff), options);
          bytes(Math.max(first, 0xe000), last, options);
        } else {
          bytes(first, last, options);
        }
        first = last + 1;
      }
    }
  }

  // Characters of one length: the ranges of their bytes where all but the first byte run free.
  private static void bytes(int first, int last, List<Node> options) {
    if (first > last) {
      return;
    }
    byte[] low = utf8(first);
    byte[] high = utf8(last);
    int common = Arrays.mismatch(low, high);
    if (common < 0) {
      options.add(new Node.Literal(low));
      return;
    }
    int free = 6 * (low.length - 1 - common); // bits behind the byte that differs
    int mask = (1 << free) - 1;
    if ((first & mask) != 0) {
      bytes(first, first | mask, options);
      bytes((first | mask) + 1, last, options);
    } else if ((last & mask) != mask) {
      bytes(first, (last & ~mask) - 1, options);
      bytes(last & ~mask, last, options);
    } else {
      List<Node> bytes = new ArrayList<>();
      for (int i = 0; i < low.length; i++) {
        bytes.add(Nodes.one(ByteSet.range(low[i] & 0xff, high[i] & 0xff)));
      }
      options.add(new Node.Sequence(bytes));
    }
  }

  private static byte[] utf8(int character) {
    return Character.toString(character).getBytes(StandardCharsets.UTF_8);
  }
}
