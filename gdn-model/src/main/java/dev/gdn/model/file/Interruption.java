package dev.gdn.model.file;

import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;

/**
 * What the caller is told whose thread was interrupted while it worked with a file: nothing is
 * wrong with that. The thread stays interrupted.
 */
public final class Interruption {
  private Interruption() {}

  /** For a file or folder that is read. */
  public static CancellationException whileLoading(Path path) {
    return new CancellationException("loading %s was interrupted".formatted(path));
  }

  /** For a file that is written. */
  static InterruptedIOException whileWriting(Path path) {
    return new InterruptedIOException("writing %s was interrupted".formatted(path));
  }
}
