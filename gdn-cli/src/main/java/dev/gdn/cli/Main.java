package dev.gdn.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code gdn} command itself: it holds the subcommands and does nothing alone. */
@Command(
    name = "gdn",
    description = "Runs Gated DeltaNet hybrid language models in pure Java.",
    subcommands = {
      GenerateCommand.class,
      ForwardCommand.class,
      PerplexityCommand.class,
      TokenizeCommand.class,
      InspectCommand.class,
      RuleCommand.class,
      ConvertCommand.class,
      SynthCommand.class,
      BenchCommand.class
    })
public final class Main extends BaseCommand {
  @Spec private CommandSpec spec;

  @Override
  void run(PrintStream out) {
    throw new ParameterException(spec.commandLine(), "expected a command, found none");
  }

  /**
   * Runs the command and ends the JVM with its exit code: 0, 2 for bad usage or input, 1 for a
   * failure of the program itself.
   */
  public static void main(String[] args) {
    PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, UTF_8);
    System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.out), false, UTF_8));
    System.setErr(err);
    CommandLine command = commandLine(new PrintWriter(err, true));
    int code = command.execute(args);
    System.out.flush();
    System.exit(code);
  }

  static CommandLine commandLine(PrintWriter err) {
    Failures failures = new Failures();
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(failures)
        .setExecutionExceptionHandler(failures)
        .setErr(err);
  }
}
