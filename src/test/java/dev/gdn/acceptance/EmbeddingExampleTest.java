package dev.gdn.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The README's program: it is the example's source, and the build has compiled and run that. */
class EmbeddingExampleTest {
  private static final String FENCE = "```";

  @Test
  void readmeShowsTheExample() throws IOException {
    String readme = Files.readString(Reactor.ROOT.resolve("README.md"));
    String source =
        Files.readString(Reactor.ROOT.resolve("examples/embed/src/main/java/example/Embed.java"));
    String opening = FENCE + "java\n";
    int from = readme.indexOf(opening) + opening.length();
    String shown = readme.substring(from, readme.indexOf(FENCE, from));
    assertEquals(source.substring(source.indexOf("import ")), shown);
  }

  @Test
  void exampleRanAndToldAStory() throws IOException {
    String log = Files.readString(Path.of("target/examples/embed/build.log"));
    assertTrue(log.contains("BUILD SUCCESS"), log);
    long words =
        log.lines()
            .filter(line -> !line.startsWith("["))
            .mapToInt(EmbeddingExampleTest::words)
            .sum();
    assertTrue(words > 10, log);
  }

  private static int words(String line) {
    return line.split(" ").length;
  }
}
