package dev.gdn.cli;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What every command has: help, version and the choice to see a failure's stack trace. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    usageHelpAutoWidth = true,
    sortOptions = false)
abstract class BaseCommand implements Callable<Integer> {
  @Option(names = "--verbose", description = "Show the stack trace of a failure.")
  private boolean verbose;

  final boolean isVerbose() {
    return verbose;
  }

  /** Does the work; results go to {@code out}, which is encoded as UTF-8 and flushed at the end. */
  abstract void run(PrintStream out) throws Exception;

  @Override
  public final Integer call() throws Exception {
    run(System.out);
    return 0;
  }
}
