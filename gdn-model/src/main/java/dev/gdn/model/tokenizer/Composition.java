package dev.gdn.model.tokenizer;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Unicode's composed normal form (NFC). {@link Normalizer} brings marks into their order by
 * inserting one after the other, which takes the square of their number; so long runs of them are
 * sorted before. That changes no result, for texts that differ in the order of such marks alone
 * have the same normal form.
 */
final class Composition {
  /** So many characters the normaliser may sort: what people write is shorter by far. */
  static final int LONGEST_RUN = 64;

  private Composition() {}

  /** The normal form of a text, in time n log n. */
  static String normalize(String text) {
    return Normalizer.normalize(withOrderedMarks(text), Normalizer.Form.NFC);
  }

  private static CharSequence withOrderedMarks(String text) {
    StringBuilder ordered = new StringBuilder();
    int copied = 0;
    int at = 0;
    while (at < text.length()) {
      int end = endOfMarks(text, at);
      if (end - at > LONGEST_RUN) {
        ordered.append(text, copied, at);
        appendOrdered(text.substring(at, end), ordered);
        copied = end;
      }
      at = end > at ? end : at + Character.charCount(text.codePointAt(at));
    }
    return copied == 0 ? text : ordered.append(text, copied, text.length());
  }

  private static int endOfMarks(String text, int from) {
    int at = from;
    while (at < text.length() && CombiningClasses.isMark(text.codePointAt(at))) {
      at += Character.charCount(text.codePointAt(at));
    }
    return at;
  }

  /** Marks of class 0 stay where they are; those between them are sorted by class. */
  private static void appendOrdered(String run, StringBuilder out) {
    Map<Integer, String> decompositions = new HashMap<>();
    int[] marks =
        run.codePoints()
            .mapToObj(mark -> decompositions.computeIfAbsent(mark, Composition::decomposition))
            .flatMapToInt(String::codePoints)
            .toArray();
    long[] order = new long[marks.length]; // class and place, so that equal ones keep their order
    int from = 0;
    for (int i = 0; i <= marks.length; i++) {
      int rank = i < marks.length ? CombiningClasses.rank(marks[i]) : 0;
      if (rank > 0) {
        order[i] = (long) rank << Integer.SIZE | i;
        continue;
      }
      Arrays.sort(order, from, i);
      for (int j = from; j < i; j++) {
        out.appendCodePoint(marks[(int) order[j]]);
      }
      if (i < marks.length) {
        out.appendCodePoint(marks[i]);
      }
      from = i + 1;
    }
  }

  private static String decomposition(int mark) {
    return Normalizer.normalize(Character.toString(mark), Normalizer.Form.NFD);
  }
}
