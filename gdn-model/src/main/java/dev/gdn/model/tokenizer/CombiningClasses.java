package dev.gdn.model.tokenizer;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The order of Unicode's canonical combining classes. The JDK has no method that tells a class; it
 * is read off {@link Normalizer}, which exchanges two marks exactly if the class of the first one
 * is higher.
 */
final class CombiningClasses {
  /** A mark of class 1; no class but 0, which is never exchanged, is lower. */
  private static final String LOWEST = "\u0334";

  /** A mark of class 240; no class is higher. */
  private static final String HIGHEST = "\u0345";

  private CombiningClasses() {}

  /** Whether a code point is a mark: all others have class 0. */
  static boolean isMark(int codePoint) {
    if (codePoint < 0x300) {
      return false;
    }
    int type = Character.getType(codePoint);
    return type == Character.NON_SPACING_MARK
        || type == Character.COMBINING_SPACING_MARK
        || type == Character.ENCLOSING_MARK;
  }

  /**
   * The rank of a code point's class among all classes, 0 for class 0.
   *
   * @param codePoint one that has no decomposition
   */
  static int rank(int codePoint) {
    return Ranks.BY_CODE_POINT.getOrDefault(codePoint, 0);
  }

  // A class of its own: all of Unicode is looked through when the first mark comes, and not before.
  private static final class Ranks {
    // From 1 on; of those code points alone that have a class over 0.
    static final Map<Integer, Integer> BY_CODE_POINT = ranks();
  }

  private static Map<Integer, Integer> ranks() {
    List<String> marks =
        IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
            .filter(CombiningClasses::isMark)
            .mapToObj(Character::toString)
            .filter(mark -> isOrdered(mark) && !isOrdered(mark + LOWEST, HIGHEST + mark))
            .sorted(CombiningClasses::compare)
            .toList();
    Map<Integer, Integer> ranks = new HashMap<>();
    String before = "";
    int rank = 0;
    for (String mark : marks) {
      rank += isOrdered(mark + before) ? 0 : 1;
      ranks.put(mark.codePointAt(0), rank + 1);
      before = mark;
    }
    return Map.copyOf(ranks);
  }

  private static int compare(String mark, String other) {
    return !isOrdered(mark + other) ? 1 : !isOrdered(other + mark) ? -1 : 0;
  }

  private static boolean isOrdered(String... texts) {
    for (String text : texts) {
      if (!Normalizer.isNormalized(text, Normalizer.Form.NFD)) {
        return false;
      }
    }
    return true;
  }
}
