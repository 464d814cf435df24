package dev.gdn.model.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a file that is there, and of the one that is to replace it. */
class FileReplacementTest {
  @TempDir Path folder;

  private Path file;

  @BeforeEach
  void writeOld() throws IOException {
    file = Files.writeString(folder.resolve("file"), "old");
  }

  private void assertAlone(String content) throws IOException {
    assertEquals(content, Files.readString(file));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(file), files.toList());
    }
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes());
  }

  @Test
  void aWholeFileTakesThePlace() throws IOException {
    FileReplacement.write(file, channel -> channel.write(bytes("new")));
    assertAlone("new");
  }

  @Test
  void aFailureLeavesTheOldOne() throws IOException {
    IllegalStateException failure =
        assertThrows(
            IllegalStateException.class,
            () ->
                FileReplacement.write(
                    file,
                    channel -> {
                      channel.write(bytes("half"));
                      throw new IllegalStateException("no more");
                    }));
    assertEquals("no more", failure.getMessage());
    assertAlone("old");
  }

  @Test
  void anInterruptedThreadLeavesTheOldOne() throws IOException {
    try {
      assertThrows(
          ClosedByInterruptException.class,
          () ->
              FileReplacement.write(
                  file,
                  channel -> {
                    channel.write(bytes("half"));
                    Thread.currentThread().interrupt();
                    channel.write(bytes("half"));
                  }));
    } finally {
      assertTrue(Thread.interrupted());
    }
    assertAlone("old");
  }

  @Test
  void problemsNameTheFileItself() throws IOException {
    Path nowhere = folder.resolve("missing/file");
    FileSystemException missing =
        assertThrows(
            NoSuchFileException.class, () -> FileReplacement.write(nowhere, channel -> {}));
    assertEquals(nowhere.toString(), missing.getMessage());
    FileSystemException taken =
        assertThrows(
            FileSystemException.class,
            () -> FileReplacement.write(folder, channel -> channel.write(bytes("new"))));
    assertEquals(folder + ": is a folder", taken.getMessage());
    FileSystemException within =
        assertThrows(
            FileSystemException.class,
            () -> FileReplacement.write(file.resolve("file"), channel -> {}));
    assertTrue(within.getMessage().startsWith(file.resolve("file") + ": "), within.getMessage());
    assertAlone("old");
  }
}
