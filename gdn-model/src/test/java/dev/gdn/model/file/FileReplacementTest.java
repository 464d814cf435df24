package dev.gdn.model.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
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
      InterruptedIOException interrupted =
          assertThrows(
              InterruptedIOException.class,
              () ->
                  FileReplacement.write(
                      file,
                      channel -> {
                        channel.write(bytes("half"));
                        Thread.currentThread().interrupt();
                        channel.write(bytes("half"));
                      }));
      assertEquals("writing " + file + " was interrupted", interrupted.getMessage());
    } finally {
      assertTrue(Thread.interrupted());
    }
    assertAlone("old");
  }

  @Test
  void aLinkStaysAndItsTargetIsReplaced() throws IOException {
    Path elsewhere = Files.createDirectory(folder.resolve("links"));
    Path link = Files.createSymbolicLink(elsewhere.resolve("link"), Path.of("../file"));
    FileReplacement.write(link, channel -> channel.write(bytes("new")));
    assertTrue(Files.isSymbolicLink(link));
    assertEquals("new", Files.readString(file));
    try (Stream<Path> files = Files.list(elsewhere)) {
      assertEquals(List.of(link), files.toList());
    }
  }

  @Test
  void permissionsStay() throws IOException {
    Set<PosixFilePermission> secret = PosixFilePermissions.fromString("rw-------");
    Files.setPosixFilePermissions(file, secret);
    FileReplacement.write(file, channel -> channel.write(bytes("new")));
    assertAlone("new");
    assertEquals(secret, Files.getPosixFilePermissions(file));
  }

  @Test
  void aFileThatMayNotBeWrittenIsRefused() throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    assumeFalse(Files.isWritable(file), "the superuser may write to any");
    assertThrows(
        AccessDeniedException.class,
        () -> FileReplacement.write(file, channel -> channel.write(bytes("new"))));
    assertAlone("old");
  }

  @Test
  void whatIsNoFileIsRefusedAndLeft() throws IOException, InterruptedException {
    Path pipe = Pipes.make(folder.resolve("pipe"));
    assertLeft(pipe, "a device, a pipe or a socket");
    assertTrue(Files.readAttributes(pipe, BasicFileAttributes.class).isOther());
    Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("missing"));
    assertLeft(dangling, "a symbolic link that leads nowhere");
    Path circle = folder.resolve("circle");
    assertLeft(Files.createSymbolicLink(circle, circle), "a symbolic link that leads nowhere");
    Path toPipe = Files.createSymbolicLink(folder.resolve("to pipe"), pipe);
    assertLeft(toPipe, "a device, a pipe or a socket");
    Path toFolder = Files.createSymbolicLink(folder.resolve("to folder"), folder);
    assertLeft(toFolder, "a folder");
    assertTrue(Files.isSymbolicLink(dangling) && Files.isSymbolicLink(toPipe));
    assertTrue(Files.notExists(folder.resolve("missing")));
  }

  private void assertLeft(Path path, String found) {
    FileSystemException refusal =
        assertThrows(
            FileSystemException.class,
            () ->
                FileReplacement.write(
                    path,
                    channel -> {
                      throw new AssertionError("written");
                    }));
    assertEquals(path.toString(), refusal.getFile());
    assertEquals(
        "expected a regular file to replace, or nothing, found " + found, refusal.getReason());
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
    assertEquals(
        folder + ": expected a regular file to replace, or nothing, found a folder",
        taken.getMessage());
    FileSystemException within =
        assertThrows(
            FileSystemException.class,
            () -> FileReplacement.write(file.resolve("file"), channel -> {}));
    assertTrue(within.getMessage().startsWith(file.resolve("file") + ": "), within.getMessage());
    // As a full disk does.
    FileSystemException unnamed =
        assertThrows(
            FileSystemException.class,
            () ->
                FileReplacement.write(
                    file,
                    channel -> {
                      throw new IOException("No space left on device");
                    }));
    assertEquals(file + ": No space left on device", unnamed.getMessage());
    assertAlone("old");
  }
}
