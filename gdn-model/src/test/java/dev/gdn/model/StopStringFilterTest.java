package dev.gdn.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StopStringFilterTest {
  @Test
  void textIsHeldBackOnlyWhereAStopStringMayBegin() {
    StopStringFilter filter = new StopStringFilter(List.of("\nUser:", "END"));
    assertEquals("one", filter.accept("one\n"));
    assertEquals("\nUs", filter.accept("Us" + "!").substring(0, 3));
    assertEquals("", filter.accept("E"));
    assertEquals("", filter.accept("N"));
    assertEquals("E", filter.accept("NEN").substring(0, 1));
    assertEquals("", filter.accept("D and more"));
    assertEquals(Optional.of("END"), filter.found());
    assertEquals("", filter.finish());
  }

  @Test
  void whatWasHeldBackComesAtTheEnd() {
    StopStringFilter filter = new StopStringFilter(List.of("stop"));
    assertEquals("a ", filter.accept("a sto"));
    assertEquals("sto", filter.finish());
    assertEquals(Optional.empty(), filter.found());
  }

  @Test
  void theLongestOfThoseThatEndTogetherIsTheOne() {
    StopStringFilter filter = new StopStringFilter(List.of("b", "ab", "abc"));
    assertEquals("x", filter.accept("xabc"));
    assertEquals(Optional.of("ab"), filter.found());
  }

  /** Against the definition: the first place at which any stop string is complete. */
  @Test
  void piecesDoNotMatter() {
    Random random = new Random(5);
    for (int round = 0; round < 3000; round++) {
      List<String> stops = new ArrayList<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        stops.add(word(random, 1 + random.nextInt(4)));
      }
      String text = word(random, random.nextInt(30));
      StopStringFilter filter = new StopStringFilter(stops);
      StringBuilder found = new StringBuilder();
      for (int from = 0; from < text.length() && filter.found().isEmpty(); ) {
        int to = Math.min(text.length(), from + 1 + random.nextInt(5));
        found.append(filter.accept(text.substring(from, to)));
        from = to;
      }
      found.append(filter.finish());
      assertEquals(expected(text, stops), found.toString(), text + " " + stops);
    }
  }

  private static String expected(String text, List<String> stops) {
    for (int end = 1; end <= text.length(); end++) {
      String before = text.substring(0, end);
      Optional<String> longest =
          stops.stream()
              .filter(before::endsWith)
              .max((a, b) -> Integer.compare(a.length(), b.length()));
      if (longest.isPresent()) {
        return before.substring(0, end - longest.get().length());
      }
    }
    return text;
  }

  private static String word(Random random, int length) {
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < length; i++) {
      word.append("abc".charAt(random.nextInt(3)));
    }
    return word.toString();
  }
}
