package dev.gdn.cli;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RawArgumentsTest {
  private static final String[] UNREADABLE = {"generate", "a\ufffdb"};

  @TempDir Path folder;

  private Path given(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("cmdline"), bytes);
  }

  @Test
  void theCharacterItselfIsText() throws IOException {
    Path source = given("java\0a\ufffdb\0".getBytes(StandardCharsets.UTF_8));
    assertDoesNotThrow(() -> RawArguments.check(UNREADABLE, source));
    assertDoesNotThrow(() -> RawArguments.check(UNREADABLE, folder.resolve("none")));
  }

  @Test
  void whatTheJvmCouldNotReadIsRefused() throws IOException {
    Path other = given(new byte[] {'a', (byte) 0xff, 'b', 0});
    assertRefused(other, "expected UTF-8");
    assertDoesNotThrow(() -> RawArguments.check(new String[] {"generate", "a"}, other));
    assertRefused(given("java\0aéb\0".getBytes(StandardCharsets.UTF_8)), "LC_ALL=C.UTF-8");
  }

  private static void assertRefused(Path source, String said) {
    String refusal =
        assertThrows(InputException.class, () -> RawArguments.check(UNREADABLE, source))
            .getMessage();
    assertTrue(refusal.contains(said), refusal);
  }
}
