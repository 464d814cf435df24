package dev.gdn.model.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PatternCompilerTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Patterns that java.util.regex reads alike. */
  private static final Map<String, String> EXAMPLES =
      Map.ofEntries(
          Map.entry("^[A-Z]{2}\\d{3,4}$", "AB1234"),
          Map.entry("^(a|bc)*d?$", "abcad"),
          Map.entry("b", "abc"),
          Map.entry("^a", "abc"),
          Map.entry("a$", "ba"),
          Map.entry("^a|b$", "a c"),
          Map.entry("^[^a-c\"]+$", "d中"),
          Map.entry("^\\w+@\\w+\\.(de|com)$", "a_1@b.de"),
          Map.entry("^(?:\\d{1,2}|100)%$", "100%"),
          Map.entry("^[\\w.-]{0,3}$", "a-."),
          Map.entry("^.{2}$", "🙂\""),
          Map.entry("^a+?b$", "aab"),
          Map.entry("^[\\\\/\"]$", "\\"),
          Map.entry("^\\x41\\u00e9$", "Aé"),
          Map.entry("^[à-ÿ]+$", "éÿ"),
          Map.entry("^[一-鿿\uac00-\ud7a3]$", "한"),
          Map.entry("^[🙂-🙏]$", "🙏"),
          Map.entry("^\\D\\S\\W$", "aß "),
          Map.entry("^\n\t$", "\n\t"),
          Map.entry("", "x"),
          Map.entry("^$", ""));

  private static boolean isTaken(Automaton automaton, String text) throws JsonProcessingException {
    Automaton.State state = automaton.start();
    for (byte value : JSON.writeValueAsString(text).getBytes(StandardCharsets.UTF_8)) {
      state = automaton.step(state, value);
    }
    return state.isComplete();
  }

  @Test
  void stringsAreTakenInWhichThePatternIsFound() throws JsonProcessingException {
    Random random = new Random(1);
    String[] pieces = {
      "a", "b", "c", "d", "AB", "12", "345", "100", "%", "@", ".", "de", "com", "-", "é", "A", "\"",
      "\\", "/", "\n", "\t", "ß", "中", "한", "🙂", "🙏", " ", "_", "ÿ"
    };
    for (String pattern : EXAMPLES.keySet()) {

      Automaton automaton = new Automaton(PatternCompiler.string(pattern, ""));
      Pattern expected = Pattern.compile(pattern.replace("$", "\\z"));
      for (int round = 0; round < 600; round++) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
          text.append(pieces[random.nextInt(pieces.length)]);
        }
        boolean taken = isTaken(automaton, text.toString());
        assertEquals(
            expected.matcher(text).find(), taken, () -> "\"%s\" by %s".formatted(text, pattern));
      }
      assertTrue(isTaken(automaton, EXAMPLES.get(pattern)), pattern);
    }
  }

  /** Where ECMA-262 has a wider notion than java.util.regex. */
  @Test
  void lineSeparatorsAreSpaces() throws JsonProcessingException {
    assertTrue(isTaken(new Automaton(PatternCompiler.string("^\\s$", "")), "\u2028"));
    assertEquals(false, isTaken(new Automaton(PatternCompiler.string("^.$", "")), "\u2028"));
  }

  @Test
  void whatIsNotSupportedIsRefusedWithItsPlace() {
    assertRefused("(?=a)", "no assertion or name at place 1");
    assertRefused("(?<n>a)", "no assertion or name");
    assertRefused("\\bword", "found \"bword\"");
    assertRefused("(a)\\1", "one of \\d");
    assertRefused("\\p{L}", "one of \\d");
    assertRefused("a^b", "an ordinary character");
    assertRefused("a$b", "the pattern's end");
    assertRefused("(a", "\")\"");
    assertRefused("a)", "the pattern's end");
    assertRefused("[a", "a character");
    assertRefused("[b-a]", "a range");
    assertRefused("[\\d-z]", "a range");
    assertRefused("[]", "at least one character");
    assertRefused("*a", "an ordinary character");
    assertRefused("a**", "something to repeat");
    assertRefused("a{3,2}", "counts in order");
    assertRefused("a{1001}", "at most 1000");
    assertRefused("a{99999999999}", "at most 1000");
    assertRefused("a{,2}", "a count");
    assertRefused("(a?)*", "what may be empty");
    assertRefused("\\", "a character behind");
    assertRefused("\\u12", "4 hexadecimal digits");
    assertRefused("[\\ud800-\\udfff]", "surrogate");
    assertRefused("(".repeat(60) + ")".repeat(60), "nested at most 50");
    assertRefused("a".repeat(1001), "at most 1000 characters");
  }

  private static void assertRefused(String pattern, String said) {
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> PatternCompiler.string(pattern, "/pattern"))
            .getMessage();
    assertTrue(message.startsWith("schema/pattern: expected"), message);
    assertTrue(message.contains(said), message);
  }
}
