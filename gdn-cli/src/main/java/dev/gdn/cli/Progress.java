package dev.gdn.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar on standard error, if somebody looks on and there is something to show. */
final class Progress implements AutoCloseable {
  private static final int WIDTH = 80;

  private final ProgressBarBuilder builder;
  private Optional<ProgressBar> bar = Optional.empty();
  private boolean ended;

  /**
   * @param task short, before the bar
   * @param unit name of {@code unitSize} steps
   * @param unitSize steps that are shown as one
   */
  Progress(String task, String unit, long unitSize) {
    builder =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setUnit(" " + unit, unitSize)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(200)
            .setConsumer(new ConsoleProgressBarConsumer(standardError(), WIDTH));
  }

  private static PrintStream standardError() {
    return new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
  }

  /** So many steps of so many are done. The first call shows the bar, the last step ends it. */
  void done(long steps, long total) {
    if (bar.isEmpty() && !ended && BaseCommand.isOnTerminal()) {
      bar = Optional.of(builder.build());
    }
    bar.ifPresent(shown -> shown.maxHint(total).stepTo(steps));
    if (steps >= total) {
      close();
    }
  }

  @Override
  public void close() {
    bar.ifPresent(ProgressBar::close);
    bar = Optional.empty();
    ended = true;
  }
}
