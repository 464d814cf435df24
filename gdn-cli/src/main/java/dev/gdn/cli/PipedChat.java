package dev.gdn.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Optional;

/** A chat whose lines come from a pipe or a file: answers go out, notes to standard error. */
record PipedChat(BufferedReader in, PrintWriter out, PrintWriter err) implements ChatInput {
  @Override
  public Optional<String> readLine() {
    try {
      return Optional.ofNullable(in.readLine());
    } catch (IOException e) {
      throw new UncheckedIOException("standard input: cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public void print(String text) {
    out.print(text);
    out.flush();
  }

  @Override
  public void note(String text) {
    err.println(text);
    err.flush();
  }

  @Override
  public boolean isAbandoned() {
    return out.checkError();
  }

  @Override
  public void interruptibly(Runnable action, Runnable stop) {
    action.run();
  }

  @Override
  public void close() {
    out.flush();
  }
}
