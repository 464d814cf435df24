package dev.gdn.acceptance.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a call of the command gave.
 *
 * @param code the exit code
 * @param out standard output
 * @param err standard error, without the JVM's own notice of incubating modules
 */
record Gdn(int code, String out, String err) {
  private static final String NOTICE = "WARNING: Using incubator modules: jdk.incubator.vector\n";

  /** Runs the command with the Vector API at hand. */
  static Gdn run(Object... arguments) throws IOException, InterruptedException {
    return run(List.of("--add-modules", "jdk.incubator.vector"), arguments);
  }

  static Gdn run(List<String> jvmFlags, Object... arguments)
      throws IOException, InterruptedException {
    Path err = Files.createTempFile("gdn", ".err");
    try {
      Process process = process(jvmFlags, arguments).redirectError(err.toFile()).start();
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      return new Gdn(code, out, Files.readString(err).replace(NOTICE, ""));
    } finally {
      Files.delete(err);
    }
  }

  /** A call that is not started yet. */
  static ProcessBuilder process(List<String> jvmFlags, Object... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmFlags);
    command.add("-XX:+UseSerialGC");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.gdn.cli.Main"));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return new ProcessBuilder(command);
  }

  /** The call did what was asked. */
  Gdn assertDone() {
    assertEquals(0, code, err);
    return this;
  }

  /** The call was refused in one line that says all of this. */
  void assertRefused(Object... said) {
    assertEquals(2, code, err);
    assertTrue(err.startsWith("gdn: "), err);
    assertEquals(1, err.lines().count(), err);
    for (Object part : said) {
      assertTrue(err.contains(part.toString()), () -> "expected " + part + " in " + err);
    }
    assertFalse(err.contains("Exception"), err);
  }
}
