package dev.gdn.cli;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.error.ContextFullException;
import dev.gdn.model.error.NoTokenLeftException;
import dev.gdn.model.error.NonFiniteLogitsException;
import dev.gdn.model.error.TemplateException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns failures into one line on standard error and an exit code. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {
  /** The program failed. */
  static final int INTERNAL = 1;

  /** The user gave something that cannot be used. */
  static final int BAD_INPUT = 2;

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    say(command.getErr(), "%s (%s --help tells more)".formatted(problem(e, args), name));
    return BAD_INPUT;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    if (e instanceof ParameterException parameter) {
      return handleParseException(parameter, new String[0]);
    }
    Throwable failure = e instanceof ExecutionException ? e.getCause() : e;
    command.getOut().flush();
    return report(failure, ((BaseCommand) command.getCommand()).isVerbose(), command.getErr());
  }

  /** Says what failed; returns the exit code. */
  static int report(Throwable failure, boolean verbose, PrintWriter err) {
    boolean bad = isBadInput(failure);
    say(err, bad ? message(failure) : "internal error: " + failure);
    if (verbose) {
      failure.printStackTrace(err);
    } else if (!bad) {
      say(err, "run it again with --verbose to see where");
    }
    err.flush();
    return bad ? BAD_INPUT : INTERNAL;
  }

  /** Prints one line. */
  static void say(PrintWriter err, String message) {
    err.println("gdn: " + Message.line(message));
    err.flush();
  }

  /** What to do when memory does not suffice. */
  static String describe(OutOfMemoryError e) {
    return "not enough memory: %s; give the JVM more with GDN_JAVA_OPTS=-Xmx8g"
        .formatted(Objects.requireNonNullElse(e.getMessage(), "the heap is full"));
  }

  private static String problem(ParameterException e, String[] args) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      String problem = "unknown: " + String.join(" ", unmatched.getUnmatched());
      List<String> near = unmatched.getSuggestions();
      // Words that begin with one hyphen are like some short option or other always.
      boolean guess = !near.isEmpty() && !isHyphened(unmatched.getUnmatched().getFirst());
      return problem
          + (guess ? "; did you mean " + String.join(" or ", near) + "?" : hint(e, args));
    }
    return e.getMessage() + (e instanceof MissingParameterException ? hint(e, args) : "");
  }

  /** For a text that was taken for an option. */
  private static String hint(ParameterException e, String[] args) {
    List<PositionalParamSpec> operands = e.getCommandLine().getCommandSpec().positionalParameters();
    Stream<String> taken =
        e instanceof UnmatchedArgumentException unmatched
            ? unmatched.getUnmatched().stream()
            : Arrays.stream(args);
    boolean applies = !operands.isEmpty() && taken.anyMatch(a -> a.startsWith("-"));
    return applies
        ? "; a %s that begins with - goes after --".formatted(operands.getFirst().paramLabel())
        : "";
  }

  private static boolean isHyphened(String word) {
    return word.startsWith("-") && !word.startsWith("--");
  }

  // The library throws IllegalArgumentException for what its caller gave, and the commands hand on
  // what the user gave. An error of the program's own that ends in one is taken for bad input too:
  // the two cannot be told apart here, the message says what was refused, and --verbose where. How
  // much memory is needed is up to the input as well.
  static boolean isBadInput(Throwable e) {
    return e instanceof InputException
        || e instanceof CheckpointException
        || e instanceof ContextFullException
        || e instanceof NoTokenLeftException
        || e instanceof NonFiniteLogitsException
        || e instanceof TemplateException
        || e instanceof IllegalArgumentException
        || e instanceof OutOfMemoryError;
  }

  /** What was bad, in words. */
  static String message(Throwable e) {
    if (e instanceof OutOfMemoryError memory) {
      return describe(memory);
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
