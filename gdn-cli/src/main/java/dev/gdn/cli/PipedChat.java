package dev.gdn.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.util.Optional;

/** A chat whose lines come from a pipe or a file: answers go out, notes to standard error. */
record PipedChat(LineInput in, PrintWriter out, PrintWriter err) implements ChatInput {
  @Override
  public Optional<String> readLine() {
    while (true) {
      try {
        return in.read();
      } catch (CharacterCodingException e) {
        note(
            "standard input, line %d: expected UTF-8, found other bytes; it is passed over"
                .formatted(in.number()));
      } catch (IOException e) {
        throw new InputException("standard input: cannot be read: " + e.getMessage(), e);
      }
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
