package dev.gdn.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * What a call of the command within this JVM gave.
 *
 * @param code the exit code
 * @param out the results
 * @param err the messages
 */
record Called(int code, String out, String err) {
  static Called with(Object... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] args = Arrays.stream(arguments).map(Object::toString).toArray(String[]::new);
    int code = Main.run(args, out, err);
    return new Called(code, out.toString(UTF_8), err.toString(UTF_8));
  }

  /** The call did what was asked. */
  Called assertDone() {
    assertEquals(0, code, err);
    return this;
  }

  /** The call was refused in one line that says all of this, before it gave any result. */
  void assertRefused(Object... said) {
    assertEquals(2, code, err);
    assertEquals("", out);
    assertEquals(1, err.lines().count(), err);
    for (Object part : said) {
      assertTrue(err.contains(part.toString()), () -> "expected " + part + " in " + err);
    }
  }
}
