package dev.gdn.cli;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.error.ContextFullException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
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
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    err.println(line("%s (%s --help tells more)".formatted(problem(e), name)));
    err.flush();
    return BAD_INPUT;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    if (e instanceof ParameterException parameter) {
      return handleParseException(parameter, new String[0]);
    }
    System.out.flush();
    boolean bad = isBadInput(e);
    PrintWriter err = command.getErr();
    err.println(line(bad ? message(e) : "internal error: " + e));
    if (((BaseCommand) command.getCommand()).isVerbose()) {
      e.printStackTrace(err);
    } else if (!bad) {
      err.println("gdn: run it again with --verbose to see where");
    }
    err.flush();
    return bad ? BAD_INPUT : INTERNAL;
  }

  private static String problem(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      List<String> near = unmatched.getSuggestions();
      return "unknown: %s%s"
          .formatted(
              String.join(" ", unmatched.getUnmatched()),
              near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?");
    }
    return e.getMessage();
  }

  // The library throws IllegalArgumentException for what its caller gave, which here is the user.
  private static boolean isBadInput(Exception e) {
    return e instanceof InputException
        || e instanceof CheckpointException
        || e instanceof ContextFullException
        || e instanceof IllegalArgumentException;
  }

  private static String message(Exception e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  private static String line(String message) {
    return "gdn: " + message.replaceAll("\\R\\s*", " ");
  }
}
