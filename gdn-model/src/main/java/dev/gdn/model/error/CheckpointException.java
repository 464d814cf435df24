package dev.gdn.model.error;

import java.nio.file.Path;
import java.util.Objects;

/**
 * A checkpoint that cannot be used: a file is missing, damaged, contradicts itself or holds
 * something this library does not support. The message reads {@code FILE: SUBJECT: PROBLEM}, where
 * the problem says what was found and what was expected, so that it can be shown as it is: what it
 * quotes of a file is shortened, and control characters are replaced.
 */
public final class CheckpointException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Characters of a subject or problem that a message shows. */
  private static final int LONGEST = 600;

  private final transient Path file;
  private final String subject;

  /**
   * @param file the file or folder that is wrong
   * @param subject the tensor, the key or the part of the file
   * @param problem what was found and what was expected
   */
  public CheckpointException(Path file, String subject, String problem) {
    this(file, subject, problem, null);
  }

  /** As above, with the failure that led to it. */
  public CheckpointException(Path file, String subject, String problem, Throwable cause) {
    super(
        Objects.requireNonNull(file, "file") + ": " + shown(subject) + ": " + shown(problem),
        cause);
    this.file = file;
    this.subject = subject;
  }

  // Both may quote an untrusted file: a name of megabytes, or one that would steer a terminal.
  private static String shown(String text) {
    StringBuilder shown = new StringBuilder();
    if (text.length() <= LONGEST) {
      shown.append(text);
    } else {
      shown.append(text, 0, LONGEST / 2);
      shown.append(" … ").append(text, text.length() - LONGEST / 2, text.length());
    }
    for (int i = 0; i < shown.length(); i++) {
      if (Character.isISOControl(shown.charAt(i))) {
        shown.setCharAt(i, '\uFFFD');
      }
    }
    return shown.toString();
  }

  /** The file or folder that is wrong; null in a deserialised copy, whose message names it. */
  public Path file() {
    return file;
  }

  /** The tensor, the key or the part of the file that is wrong. */
  public String subject() {
    return subject;
  }
}
