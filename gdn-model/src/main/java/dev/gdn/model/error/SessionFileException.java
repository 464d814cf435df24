package dev.gdn.model.error;

import java.nio.file.Path;
import java.util.Objects;

/**
 * A saved session that cannot be loaded: the file is missing, damaged, of another model or of
 * another kind. The message reads {@code FILE: PROBLEM}, where the problem says what was found and
 * what was expected.
 */
public final class SessionFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Path file;

  /**
   * @param file the file that is wrong
   * @param problem what was found and what was expected
   */
  public SessionFileException(Path file, String problem) {
    this(file, problem, null);
  }

  /** As above, with the failure that led to it. */
  public SessionFileException(Path file, String problem, Throwable cause) {
    super(Objects.requireNonNull(file, "file") + ": " + problem, cause);
    this.file = file;
  }

  /** The file that is wrong; null in a deserialised copy, whose message names it. */
  public Path file() {
    return file;
  }
}
