package dev.gdn.cli;

import java.util.Optional;

/** Where the lines of a chat come from and where its text goes. */
interface ChatInput extends AutoCloseable {
  /** The next line; empty at the end. */
  Optional<String> readLine();

  /** Shows text as it is, at once. */
  void print(String text);

  /** Shows text that is not part of an answer. */
  void note(String text);

  /** Whether nobody reads on. */
  boolean isAbandoned();

  /** Runs something that the user may stop; {@code stop} is then called on another thread. */
  void interruptibly(Runnable action, Runnable stop);

  @Override
  void close();
}
