package dev.gdn.cli;

import java.io.IOError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * A chat in a terminal, with line editing and a history. Control characters in what is shown are
 * left out, so that a model cannot steer the terminal.
 */
final class TerminalChat implements ChatInput {
  private static final String PROMPT = "> ";

  /** Attempts to set the terminal up: Ctrl-C ends the stty that just does it, too. */
  private static final int ATTEMPTS = 5;

  private final Terminal terminal;
  private final LineReader reader;
  private final Attributes attributes;
  // Ctrl-C since a line was read, before there is an answer to stop.
  private volatile boolean interrupted;

  TerminalChat() {
    try {
      // The provider that calls stty; the others are native code.
      terminal =
          TerminalBuilder.builder()
              .name("gdn")
              .system(true)
              .provider(TerminalBuilder.PROP_PROVIDER_EXEC)
              .dumb(true)
              .build();
    } catch (IOException e) {
      throw new UncheckedIOException("terminal: cannot be used: " + e.getMessage(), e);
    }
    attributes = terminal.getAttributes();
    terminal.handle(Terminal.Signal.INT, signal -> interrupted = true);
    // "!" is a character like others.
    reader =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .build();
  }

  @Override
  public Optional<String> readLine() {
    int failures = 0;
    while (true) {
      interrupted = false;
      try {
        return Optional.of(reader.readLine(PROMPT));
      } catch (UserInterruptException e) {
        note("(Ctrl-D or /exit ends the chat)");
      } catch (EndOfFileException e) {
        return Optional.empty();
      } catch (IOError e) {
        if (++failures == ATTEMPTS) {
          throw e;
        }
        reset();
        note("(the line was not read)");
      }
    }
  }

  private void reset() {
    try {
      terminal.setAttributes(attributes);
    } catch (IOError e) {
      // The next attempt says it.
    }
  }

  @Override
  public void print(String text) {
    terminal.writer().print(harmless(text));
    terminal.flush();
  }

  @Override
  public void note(String text) {
    terminal.writer().println(harmless(text));
    terminal.flush();
  }

  @Override
  public boolean isAbandoned() {
    return false;
  }

  @Override
  public void interruptibly(Runnable action, Runnable stop) {
    Terminal.SignalHandler before = terminal.handle(Terminal.Signal.INT, signal -> stop.run());
    try {
      if (interrupted) {
        stop.run();
      }
      action.run();
    } finally {
      terminal.handle(Terminal.Signal.INT, before);
    }
  }

  @Override
  public void close() {
    try {
      terminal.close();
    } catch (IOException e) {
      throw new UncheckedIOException("terminal: cannot be closed: " + e.getMessage(), e);
    }
  }

  private static String harmless(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.chars()
        .filter(c -> c == '\n' || c == '\t' || !Character.isISOControl(c))
        .forEach(c -> shown.append((char) c));
    return shown.toString();
  }
}
