package dev.gdn.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Lines of text in UTF-8, which end in a line feed, with or without a carriage return before it.
 * Unlike with a {@link java.io.Reader}, other bytes are not taken for U+FFFD, and a line has a
 * bound.
 */
final class LineInput {
  /** Bytes of a line, 16 MiB. */
  static final int LONGEST = 16 << 20;

  private final InputStream in;
  private long number;

  LineInput(InputStream in) {
    this.in = new BufferedInputStream(in);
  }

  /** Of the line that was read last, from 1. */
  long number() {
    return number;
  }

  /**
   * The next line; empty at the end.
   *
   * @throws CharacterCodingException if it is no UTF-8; the next one can be read then
   * @throws InputException if it is longer than {@link #LONGEST}
   * @throws IOException if nothing can be read
   */
  Optional<String> read() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = in.read();
    if (next < 0) {
      return Optional.empty();
    }
    number++;
    for (; next >= 0 && next != '\n'; next = in.read()) {
      if (line.size() == LONGEST) {
        throw new InputException(
            "standard input, line %d: expected at most %d bytes, found more"
                .formatted(number, LONGEST));
      }
      line.write(next);
    }
    byte[] bytes = line.toByteArray();
    boolean returns = bytes.length > 0 && bytes[bytes.length - 1] == '\r';
    ByteBuffer text = ByteBuffer.wrap(bytes, 0, bytes.length - (returns ? 1 : 0));
    return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(text).toString());
  }
}
