package dev.gdn.model.json;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.error.CheckpointException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a message says of a text that is no JSON is meant for those who wrote that. */
class JsonProblemTest {
  @TempDir Path folder;

  static Stream<Arguments> texts() {
    return Stream.of(
        Arguments.of("\uFEFF{}", "Unexpected character ('U+FEFF'"),
        Arguments.of("\u200B{}", "Unexpected character ('U+200B'"),
        Arguments.of("{\"a\": \"\u0007\"}", "Illegal unquoted character"),
        Arguments.of("{'a': 1}", "double-quote"),
        Arguments.of("{\"a\": NaN}", "Non-standard token 'NaN'"),
        Arguments.of("{\"a\": -Infinity}", "Non-standard token '-Infinity'"),
        Arguments.of("{\"a\": +INF}", "Non-standard token '+INF'"),
        Arguments.of("{\"a\": 01}", "Leading zeroes not allowed"),
        Arguments.of("{\"a\": .5}", "Unexpected character ('.'"),
        Arguments.of("{\"a\": 1.}", "not followed by a digit"),
        Arguments.of("// of a model", "maybe a (non-standard) comment?"),
        Arguments.of("{} {}", "Trailing token (of type START_OBJECT) found after value"),
        Arguments.of("# of a model", "Unexpected character ('#'"),
        Arguments.of("[".repeat(1_100), "nesting depth (1001) exceeds the maximum allowed (1000)"),
        Arguments.of("1".repeat(1_100), "length (1100) exceeds the maximum allowed (1000)"));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void theParsersAdviceToProgrammersIsLeftOut(String text, String problem) throws IOException {
    Path file = Files.writeString(folder.resolve("config.json"), text);
    String message =
        assertThrows(CheckpointException.class, () -> JsonObject.read(file)).getMessage();
    assertTrue(message.startsWith(file + ": JSON file: expected JSON, found"), message);
    assertTrue(message.contains(problem), message);
    for (String word : new String[] {"Feature", "StreamRead", "enable", "`", "()"}) {
      assertFalse(message.contains(word), message);
    }
    assertTrue(
        message.codePoints().noneMatch(c -> Character.getType(c) == Character.FORMAT), message);
  }
}
