package dev.gdn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.error.NoTokenLeftException;
import dev.gdn.model.error.NonFiniteLogitsException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class FailuresTest {
  private static String reported(Throwable failure, int code) {
    StringWriter err = new StringWriter();
    assertEquals(code, Failures.report(failure, false, new PrintWriter(err)));
    assertFalse(err.toString().contains("\tat "), err::toString);
    return err.toString();
  }

  /** Runs a command whose results go to a place that takes none. */
  private static String lost(String reason) {
    OutputStream nowhere =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException(reason);
          }
        };
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertEquals(1, Main.run(new String[] {"tokenize", "hello"}, nowhere, err));
    return err.toString();
  }

  @Test
  void errorsAreToldWithoutATrace() {
    String memory = reported(new OutOfMemoryError("Java heap space"), 2);
    assertTrue(memory.contains("GDN_JAVA_OPTS=-Xmx8g"), memory);
    reported(new NoTokenLeftException("the constraint allows none"), 2);
    reported(new NonFiniteLogitsException(5), 2);
    String internal = reported(new StackOverflowError(), 1);
    assertTrue(internal.startsWith("gdn: internal error: java.lang.StackOverflowError"), internal);
  }

  @Test
  void lostResultsAreToldUnlessNobodyReads() {
    assertEquals("gdn: standard output: cannot be written: disk full", lost("disk full").strip());
    assertEquals("", lost("Broken pipe"));
  }

  @Test
  void messagesAreOneHarmlessLine() {
    assertEquals("a b\\u001b[31m c\\u202e é", Message.line("a\n  b\u001b[31m\r\nc\u202e é"));
  }

  @Test
  void longMessagesLoseTheirMiddle() {
    String emoji = "😀";
    assertEquals(emoji.repeat(2000), Message.line(emoji.repeat(2000)));
    String line = Message.line("head" + emoji.repeat(1_000_000) + "tail");
    assertTrue(line.startsWith("head" + emoji), line);
    assertTrue(line.endsWith(emoji + "tail"), line);
    assertTrue(line.codePointCount(0, line.length()) <= 2000, line);
  }
}
