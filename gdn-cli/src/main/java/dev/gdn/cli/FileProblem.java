package dev.gdn.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Says in words what the file system refused. */
final class FileProblem {
  private FileProblem() {}

  /** For a file the user named and what was to be done with it, for example "cannot be read". */
  static InputException of(Path file, String what, IOException cause) {
    return new InputException("%s: %s: %s".formatted(file, what, reason(cause)), cause);
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "no such file or folder";
      case AccessDeniedException _ -> "permission denied";
      case FileAlreadyExistsException _ -> "there is a file of that name";
      case FileSystemException f when f.getReason() != null -> f.getReason();
      default -> e.getMessage() == null ? e.toString() : e.getMessage();
    };
  }
}
