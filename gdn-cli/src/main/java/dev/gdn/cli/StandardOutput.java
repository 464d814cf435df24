package dev.gdn.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;

/** Standard output, which remembers why writing failed; the writers around it swallow that. */
final class StandardOutput extends OutputStream {
  private final OutputStream target;
  private IOException failure;

  StandardOutput(OutputStream target) {
    this.target = target;
  }

  /** The first failure. */
  Optional<IOException> failure() {
    return Optional.ofNullable(failure);
  }

  /** Whether it failed because nobody reads on, as in {@code gdn ... | head}. */
  boolean isAbandoned() {
    return failure()
        .map(IOException::getMessage)
        .filter(message -> message.toLowerCase(Locale.ROOT).contains("broken pipe"))
        .isPresent();
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    try {
      target.write(bytes, from, count);
    } catch (IOException e) {
      throw remembered(e);
    }
  }

  @Override
  public void flush() throws IOException {
    try {
      target.flush();
    } catch (IOException e) {
      throw remembered(e);
    }
  }

  private IOException remembered(IOException e) {
    if (failure == null) {
      failure = e;
    }
    return e;
  }
}
