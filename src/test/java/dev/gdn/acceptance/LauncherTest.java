package dev.gdn.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code gdn}, as far as it ends before it builds anything. */
class LauncherTest {
  @TempDir Path folder;

  private static void assertRefused(Path jdk) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(Reactor.ROOT.resolve("gdn").toString(), "--help");
    builder.environment().put("GDN_JAVA_HOME", jdk.toString());
    Process process = builder.redirectOutput(new File("/dev/null")).start();
    process.getOutputStream().close();
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(2, process.waitFor(), err);
    assertEquals("gdn: GDN_JAVA_HOME is %s, which is no JDK 25 or newer%n".formatted(jdk), err);
  }

  @Test
  void aWrongJdkIsBadUsage() throws Exception {
    assertRefused(folder.resolve("none"));
    Path old = folder.resolve("old");
    for (String name : new String[] {"java", "javac"}) {
      Path program = old.resolve("bin").resolve(name);
      Files.createDirectories(program.getParent());
      assertTrue(Files.createFile(program).toFile().setExecutable(true));
    }
    Files.writeString(old.resolve("release"), "JAVA_VERSION=\"17.0.15\"\n");
    assertRefused(old);
  }
}
