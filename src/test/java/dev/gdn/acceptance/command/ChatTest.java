package dev.gdn.acceptance.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A chat whose lines come from a pipe. */
@Timeout(120)
class ChatTest {
  @TempDir Path folder;

  @Test
  void answersGoOutAndNotesToStandardError() throws Exception {
    Path err = folder.resolve("err");
    Process process =
        Gdn.process(
                List.of("--add-modules", "jdk.incubator.vector"),
                "chat",
                "--greedy",
                "--max-tokens",
                5)
            .redirectError(err.toFile())
            .start();
    String lines = "Once upon a time there was a king who\n/stats\n/save %s\n";
    process
        .getOutputStream()
        .write(lines.formatted(folder.resolve("chat.json")).getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue(), Files.readString(err));
    assertEquals(" was a king,\n", out.replace("\r\n", "\n"));
    String notes = Files.readString(err);
    assertTrue(notes.contains("(no chat template: "), notes);
    assertTrue(notes.contains("2 messages"), notes);
    assertTrue(notes.lines().noneMatch(line -> line.contains("restricted")), notes);
    assertTrue(Files.readString(folder.resolve("chat.json")).contains(" was a king,"));
  }
}
