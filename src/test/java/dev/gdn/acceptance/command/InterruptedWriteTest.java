package dev.gdn.acceptance.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command that is told to end while it writes a large file. */
class InterruptedWriteTest {
  @TempDir Path folder;

  private List<Path> files() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void noHalfFileIsLeft() throws Exception {
    Process process =
        Gdn.process(
                List.of("--add-modules", "jdk.incubator.vector"),
                "synth",
                "--shape",
                "qwen3.5-0.8b",
                "--type",
                "F32",
                "--out",
                folder.resolve("model.gguf"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      while (files().isEmpty() || Files.size(files().getFirst()) == 0) {
        assertTrue(process.isAlive() && System.nanoTime() < deadline, "nothing was written");
        Thread.sleep(20);
      }
      process.destroy();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
      assertNotEquals(0, process.exitValue());
      assertEquals(List.of(), files());
    } finally {
      process.destroyForcibly();
    }
  }
}
