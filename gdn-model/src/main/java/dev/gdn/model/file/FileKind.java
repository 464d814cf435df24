package dev.gdn.model.file;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** What lies at a path, in the words of messages. */
public final class FileKind {
  private FileKind() {}

  /** Whether something lies there, be it a symbolic link that leads nowhere. */
  public static boolean isThere(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** For example {@code a folder}; symbolic links are followed as far as they lead somewhere. */
  public static String describe(Path path) {
    if (Files.isRegularFile(path)) {
      return "a file";
    }
    if (Files.isDirectory(path)) {
      return "a folder";
    }
    if (Files.exists(path)) {
      return "a device, a pipe or a socket";
    }
    return Files.isSymbolicLink(path) ? "a symbolic link that leads nowhere" : "nothing";
  }
}
