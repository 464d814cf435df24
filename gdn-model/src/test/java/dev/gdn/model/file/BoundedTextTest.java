package dev.gdn.model.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BoundedTextTest {
  @TempDir Path folder;

  private static String problem(Path file, long most) {
    return BoundedText.problem(assertThrows(IOException.class, () -> BoundedText.read(file, most)));
  }

  @Test
  void filesWithinTheBoundAreRead() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "é日");
    assertEquals("é日", BoundedText.read(file, 5));
    assertEquals("expected at most 4 bytes, found 5 bytes", problem(file, 4));
    Files.write(file, new byte[] {'a', (byte) 0xff});
    assertEquals("expected UTF-8, found other bytes", problem(file, 4));
    assertEquals("no such file", problem(folder.resolve("none"), 4));
  }

  @Test
  void holesCountAsBytes() throws IOException {
    Path file = folder.resolve("sparse");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(1L << 40);
    }
    assertEquals("expected at most 10 bytes, found 1099511627776 bytes", problem(file, 10));
  }

  @Test
  void onlyFilesAreOpened() throws IOException, InterruptedException {
    String other = "expected a regular file, found a device, a pipe or a socket";
    assertEquals(other, problem(Pipes.make(folder.resolve("pipe")), 10));
    assertEquals(other, problem(Path.of("/dev/zero"), 10));
    assertEquals("expected a regular file, found a folder", problem(folder, 10));
  }

  @Test
  void whatIsOpenIsReadUpToTheBound() throws IOException {
    Path name = Path.of("input");
    byte[] text = "é日".getBytes(StandardCharsets.UTF_8);
    assertEquals("é日", BoundedText.readAll(new ByteArrayInputStream(text), name, 5));
    IOException longer =
        assertThrows(
            IOException.class, () -> BoundedText.readAll(new ByteArrayInputStream(text), name, 4));
    assertEquals("expected at most 4 bytes, found more", BoundedText.problem(longer));
    try (InputStream endless = Files.newInputStream(Path.of("/dev/zero"))) {
      assertThrows(IOException.class, () -> BoundedText.readAll(endless, name, 1 << 20));
    }
    IOException bytes =
        assertThrows(
            IOException.class,
            () -> BoundedText.readAll(new ByteArrayInputStream(new byte[] {(byte) 0xc3}), name, 5));
    assertEquals("expected UTF-8, found other bytes", BoundedText.problem(bytes));
  }
}
