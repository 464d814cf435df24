package dev.gdn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LineInputTest {
  private static LineInput of(String bytes) {
    return new LineInput(new ByteArrayInputStream(bytes.getBytes(StandardCharsets.ISO_8859_1)));
  }

  @Test
  void linesEndInAnyWay() throws IOException {
    LineInput in = of("a\r\n\n\u00c3\u00a9\r\rb\nend");
    assertEquals(Optional.of("a"), in.read());
    assertEquals(Optional.of(""), in.read());
    assertEquals(Optional.of("é\r\rb"), in.read());
    assertEquals(Optional.of("end"), in.read());
    assertEquals(Optional.empty(), in.read());
  }

  @Test
  void otherBytesAreToldAndPassedOver() {
    StringWriter notes = new StringWriter();
    PipedChat chat =
        new PipedChat(of("a\n\u00ff\u00fe\nb"), new PrintWriter(notes), new PrintWriter(notes));
    assertEquals(Optional.of("a"), chat.readLine());
    assertEquals(Optional.of("b"), chat.readLine());
    assertEquals(
        "standard input, line 2: expected UTF-8, found other bytes; it is passed over",
        notes.toString().strip());
    assertEquals(Optional.empty(), chat.readLine());
  }

  @Test
  void aLineHasABound() throws IOException {
    try (InputStream endless = Files.newInputStream(Path.of("/dev/zero"))) {
      LineInput in = new LineInput(endless);
      assertThrows(InputException.class, in::read);
    }
  }
}
