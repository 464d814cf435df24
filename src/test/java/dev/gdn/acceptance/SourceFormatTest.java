package dev.gdn.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.googlejavaformat.java.Main;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every Java source is as google-java-format writes it. With {@code -Dgdn.format=write} the sources
 * are rewritten first, which is what {@code .ci/format} does.
 */
class SourceFormatTest {
  @Test
  void sourcesAreFormatted() throws Exception {
    if ("write".equals(System.getProperty("gdn.format"))) {
      format("--replace");
    }
    String misformatted = format("--dry-run");
    assertEquals("", misformatted, "to format these files, run .ci/format\n");
  }

  private static String format(String mode) throws Exception {
    Stream<String> files = Reactor.javaSources().stream().map(Object::toString);
    List<String> arguments = Stream.concat(Stream.of(mode), files).toList();
    StringWriter out = new StringWriter();
    Main formatter =
        new Main(new PrintWriter(out), new PrintWriter(out), InputStream.nullInputStream());
    formatter.format(arguments.toArray(String[]::new));
    return out.toString();
  }
}
