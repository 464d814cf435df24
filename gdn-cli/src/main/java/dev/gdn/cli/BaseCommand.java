package dev.gdn.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every command has: help, version and the choice to see a failure's stack trace. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    usageHelpAutoWidth = true,
    sortOptions = false)
abstract class BaseCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--verbose", description = "Show the stack trace of a failure.")
  private boolean verbose;

  final boolean isVerbose() {
    return verbose;
  }

  final CommandSpec spec() {
    return spec;
  }

  /** Where messages go. */
  final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Whether somebody types and reads, rather than a pipe or file. */
  static boolean isOnTerminal() {
    return System.console() != null && System.console().isTerminal();
  }

  /** Does the work; results go to {@code out}, which is flushed at the end. */
  abstract void run(PrintWriter out) throws Exception;

  // Errors go on wrapped, because picocli hands exceptions alone to its handler.
  @Override
  public final Integer call() throws Exception {
    try {
      run(spec.commandLine().getOut());
      return 0;
    } catch (Error e) {
      throw new ExecutionException(e);
    }
  }
}
