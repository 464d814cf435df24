package dev.gdn.acceptance.models;

import static dev.gdn.acceptance.models.Checkpoints.tokens;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.model.LanguageModel;
import dev.gdn.model.Session;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A session that does not fit on the disk: the system refuses to write beyond some size, which a
 * process of its own is told to do, as a full disk cannot be had without an administrator.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
class FullDiskTest {
  private static final String MODEL = "resources/fixtures/models/qwen3_5_gva3_tied";

  /** In kilobytes: above what a session of one token takes, below what 400 take. */
  private static final int LARGEST_FILE = 200;

  @TempDir private Path folder;

  /** What the limited process runs. */
  static final class Saving {
    private Saving() {}

    public static void main(String[] args) throws IOException {
      Path file = Path.of(args[0]);
      try (LanguageModel model = LanguageModel.open(Path.of(MODEL))) {
        Session session = model.newSession();
        session.prefill(1);
        session.save(file);
        session.prefill(tokens(400, 1));
        try {
          session.save(file);
          System.out.println("saved");
        } catch (IOException refused) {
          System.out.println("refused");
        }
        System.out.println(session.position());
        session.decode(1);
        session.load(file);
        System.out.println(session.position());
      }
    }
  }

  @Test
  void theOldFileSurvivesAndTheSessionGoesOn() throws IOException, InterruptedException {
    Path file = folder.resolve("session");
    Process process =
        new ProcessBuilder(
                "bash",
                "-c",
                "ulimit -f " + LARGEST_FILE + "; exec \"$@\"",
                "limited",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                Saving.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor());
    assertEquals(List.of("refused", "401", "1"), out.lines().toList());
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(file), files.toList());
    }
  }
}
