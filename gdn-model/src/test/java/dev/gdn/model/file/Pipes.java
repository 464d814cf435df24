package dev.gdn.model.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;

/** Named pipes for tests. Whoever opens one waits for a partner. */
public final class Pipes {
  private Pipes() {}

  /** Makes one where nothing is. */
  public static Path make(Path path) throws IOException, InterruptedException {
    assertEquals(0, new ProcessBuilder("mkfifo", path.toString()).start().waitFor());
    return path;
  }
}
