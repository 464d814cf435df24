package dev.gdn.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of text that the user names. */
final class TextFile {
  private TextFile() {}

  /**
   * Reads one.
   *
   * @throws InputException if it cannot be read or is no UTF-8, naming it
   */
  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new InputException(file + ": expected UTF-8, found other bytes", e);
    } catch (IOException e) {
      throw FileProblem.of(file, "cannot be read", e);
    }
  }
}
