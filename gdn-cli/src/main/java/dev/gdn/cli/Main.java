package dev.gdn.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** The {@code gdn} command itself: it holds the subcommands and does nothing alone. */
@Command(name = "gdn", description = "Runs Gated DeltaNet hybrid language models in pure Java.")
public final class Main extends BaseCommand {
  @Override
  void run(PrintWriter out) {
    throw new ParameterException(spec().commandLine(), "expected a command, found none");
  }

  /**
   * Runs the command and ends the JVM with its exit code: 0, 2 for bad usage or input, 1 for a
   * failure of the program itself or results that could not be printed.
   */
  public static void main(String[] args) {
    PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, UTF_8);
    System.setErr(err);
    // Numbers in the digits that the commands take.
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    try {
      RawArguments.check(args, RawArguments.SOURCE);
    } catch (InputException e) {
      System.exit(Failures.report(e, false, new PrintWriter(err, true, UTF_8)));
    }
    System.exit(run(args, new FileOutputStream(FileDescriptor.out), err));
  }

  /**
   * Runs the command.
   *
   * @param out takes the results in UTF-8
   * @param err takes messages in UTF-8
   * @return the exit code
   */
  static int run(String[] args, OutputStream out, OutputStream err) {
    StandardOutput results = new StandardOutput(out);
    PrintWriter resultWriter = new PrintWriter(results, false, UTF_8);
    PrintWriter messages = new PrintWriter(err, true, UTF_8);
    int code;
    try {
      code = commandLine(args, resultWriter, messages).execute(args);
    } catch (Error e) {
      code = Failures.report(e, false, messages);
    }
    resultWriter.flush();
    if (results.failure().isEmpty()) {
      return code;
    }
    if (!results.isAbandoned()) {
      String reason = results.failure().get().getMessage();
      Failures.say(messages, "standard output: cannot be written: " + reason);
    }
    return code == 0 ? Failures.INTERNAL : code;
  }

  // An argument that begins with @ is a text like any other.
  private static CommandLine commandLine(String[] args, PrintWriter out, PrintWriter err) {
    Failures failures = new Failures();
    CommandLine line = new CommandLine(new Main());
    Subcommand.needed(args).forEach(command -> line.addSubcommand(command.type()));
    return line.setExpandAtFiles(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(Path.class, Main::path)
        .setParameterExceptionHandler(failures)
        .setExecutionExceptionHandler(failures)
        .setOut(out)
        .setErr(err);
  }

  private static Path path(String text) {
    if (text.isEmpty()) {
      throw new TypeConversionException("expected a file or folder, found nothing");
    }
    return Path.of(text);
  }
}
