package dev.gdn.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The command line as it was given. The JVM takes what it cannot read for U+FFFD, so that a text
 * would silently be another one.
 */
final class RawArguments {
  /** Where Linux has the bytes. */
  static final Path SOURCE = Path.of("/proc/self/cmdline");

  private static final String UNREADABLE = "\ufffd";

  private RawArguments() {}

  /**
   * Looks at the bytes if they can be seen, and there is reason to.
   *
   * @param source has them
   * @throws InputException if they are no UTF-8, or the JVM read something else
   */
  static void check(String[] args, Path source) {
    if (!String.join("", args).contains(UNREADABLE)) {
      return;
    }
    try {
      ByteBuffer given = ByteBuffer.wrap(Files.readAllBytes(source));
      if (StandardCharsets.UTF_8.newDecoder().decode(given).toString().contains(UNREADABLE)) {
        return;
      }
    } catch (CharacterCodingException e) {
      throw new InputException("command line: expected UTF-8, found other bytes", e);
    } catch (IOException e) {
      return; // Another system: what the JVM made of them counts.
    }
    throw new InputException(
        "command line: the locale's character set lacks some of its letters; LC_ALL=C.UTF-8 has"
            + " all");
  }
}
