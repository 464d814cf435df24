package dev.gdn.model.tokenizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SplitPatternTest {
  @Test
  void handsOverMatchesAndGaps() {
    assertEquals(List.of("x", "12", "yz", "3"), split("\\p{N}+", "x12yz3"));
    assertEquals(
        List.of("ab"), split("q*", "ab").stream().reduce(String::concat).stream().toList());
    assertEquals(List.of(), split("a", ""));
  }

  @Test
  void readsClassesAndCaseAsUnicodeDoes() {
    assertEquals(List.of("a", "\u3000\u0085\u00a0", "b"), split("\\s+", "a\u3000\u0085\u00a0b"));
    assertEquals(List.of("x", "'\u017f"), split("(?i:'s|'t)", "x'\u017f"), "the long s");
    assertEquals(List.of("\ud835\udd04b", "1"), split("\\p{L}+", "\ud835\udd04b1"));
    assertEquals(List.of("a\r", "\n"), split(".+", "a\r\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(a|b)+",
        "(?:a)*",
        "(a){2}",
        "(?<name>a)",
        "(?m:a)",
        "\\w+",
        "\\bx",
        "\\h",
        "\\1",
        "\\p{Han}",
        "\\pL",
        "\\p",
        "\\p{L",
        "\\<a",
        "\\>",
        "\\é",
        "[[:alpha:]]",
        "[a&&b]",
        "[]a]",
        "[a",
        "a\\",
        "^a",
        "a$",
        "a{2}+",
        "\\G",
        "(",
        "a)",
        "*"
      })
  void refusesWhatIsWrongOrReadDifferently(String expression) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> SplitPattern.of(expression))
            .getMessage();
    assertTrue(message.contains("split pattern \"" + expression + "\""), message);
  }

  @Test
  void takesEscapesOfAnyMark() {
    assertEquals(List.of("a", "[-]", "b"), split("[\\[\\]\\-]+", "a[-]b"));
    assertEquals(List.of("a", "~", "b"), split("\\~", "a~b"));
    assertEquals(List.of("a", "b1", "c"), split("\\p{L}\\p{Nd}", "ab1c"));
    assertEquals(List.of("x", "aa"), split("a{2}", "xaa"));
  }

  @Test
  void refusesWhatWouldOverflowItsReader() {
    String deep = "(".repeat(100) + "a" + ")".repeat(100);
    assertThrows(IllegalArgumentException.class, () -> SplitPattern.of(deep));
    assertThrows(IllegalArgumentException.class, () -> SplitPattern.of("a".repeat(5000)));
  }

  private static List<String> split(String expression, String text) {
    List<String> pieces = new ArrayList<>();
    SplitPattern.of(expression).split(text, pieces::add);
    return pieces;
  }
}
