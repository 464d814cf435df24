package dev.gdn.model.tokenizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompositionTest {
  private static final int MEGABYTE = 1 << 20;
  private static final double NANOSECONDS = 1e9;
  private static final int[] MARKS =
      IntStream.rangeClosed(0, Character.MAX_CODE_POINT).filter(CombiningClasses::isMark).toArray();

  /** What stands between marks: some of it composes with them, some decomposes into them. */
  private static final String[] OTHERS = {
    "e", "\u00e9", "\u1ec7", " ", "\uac00", "\u1161", "\u11a8", "\u0915", "\ud834\udd57", "\ud83d"
  };

  private static String marks(Random random, int count, int kinds) {
    int first = random.nextInt(MARKS.length);
    StringBuilder marks = new StringBuilder();
    random
        .ints(count, 0, kinds)
        .map(kind -> MARKS[(first + kind) % MARKS.length])
        .forEach(marks::appendCodePoint);
    return marks.toString();
  }

  @Test
  void marksAreComposedAsByTheNormalizer() {
    Random random = new Random(11);
    for (int round = 0; round < 3000; round++) {
      StringBuilder text = new StringBuilder();
      for (int part = random.nextInt(4); part >= 0; part--) {
        text.append(OTHERS[random.nextInt(OTHERS.length)]);
        int count = random.nextInt(4 * Composition.LONGEST_RUN);
        text.append(marks(random, count, random.nextBoolean() ? 20 : MARKS.length));
      }
      assertSame(text.toString());
    }
  }

  @Test
  void everyMarkIsComposedAsByTheNormalizer() {
    String long1 = "\u0323\u0334\u0345\u0301".repeat(Composition.LONGEST_RUN);
    for (int mark : MARKS) {
      assertSame("e" + Character.toString(mark) + long1 + Character.toString(mark));
    }
  }

  private static void assertSame(String text) {
    assertEquals(
        Normalizer.normalize(text, Normalizer.Form.NFC), Composition.normalize(text), () -> text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0301\u0323", "\u0345\u0334", "\u0f73\u0344", "\u0345\u0301\u0334"})
  void aMegabyteOfMarksTakesLessThanASecond(String repeated) {
    int bytes = repeated.getBytes(StandardCharsets.UTF_8).length;
    assertFast("e" + repeated.repeat(MEGABYTE / bytes));
  }

  @Test
  void aMegabyteOfAllMarksTakesLessThanASecond() {
    assertFast(marks(new Random(12), MEGABYTE / 3, MARKS.length));
    // Just so long that each is sorted.
    String run = marks(new Random(13), Composition.LONGEST_RUN + 1, MARKS.length) + "e";
    assertFast(run.repeat(MEGABYTE / run.length() / 3));
  }

  private static void assertFast(String text) {
    // The thread's own time: what else the machine does is not the normaliser's.
    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    String composed = Composition.normalize(text);
    long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    double seconds = (end - start) / NANOSECONDS;
    assertTrue(seconds < 1, () -> seconds + " s");
    assertTrue(Normalizer.isNormalized(composed, Normalizer.Form.NFC));
  }
}
