package dev.gdn.cli;

import dev.gdn.model.file.BoundedText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Texts that the user names: regular files, and what the shell opened for this process, as in
 * {@code --messages /dev/stdin} or {@code --messages <(jq ...)}.
 */
final class TextFile {
  /** Messages, tools, schemas and templates. */
  static final int SMALL = 16 << 20;

  /** Texts to be measured. */
  static final int LARGE = 256 << 20;

  /** Folders of the files that a process has open already. */
  private static final List<Path> OPEN = List.of(Path.of("/dev/fd"), Path.of("/proc/self/fd"));

  private static final Path STANDARD_INPUT = Path.of("/dev/stdin");

  private TextFile() {}

  /**
   * Reads one.
   *
   * @param most bytes
   * @throws InputException if it cannot be read, is larger or no UTF-8, naming it
   */
  static String read(Path file, int most) {
    try {
      if (Files.isRegularFile(file) || !isOpen(file)) {
        return BoundedText.read(file, most);
      }
      try (InputStream open = Files.newInputStream(file)) {
        return BoundedText.readAll(open, file, most);
      }
    } catch (CharacterCodingException e) {
      throw new InputException(file + ": " + BoundedText.problem(e), e);
    } catch (IOException e) {
      throw FileProblem.of(file, "cannot be read", e);
    }
  }

  private static boolean isOpen(Path file) {
    Path folder = file.getParent(); // null for a plain name
    return file.equals(STANDARD_INPUT) || (folder != null && OPEN.contains(folder));
  }
}
