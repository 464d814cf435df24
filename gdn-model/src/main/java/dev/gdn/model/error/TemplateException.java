package dev.gdn.model.error;

import java.util.Objects;

/**
 * A chat template that cannot be read, or that cannot be rendered with these messages. Where the
 * template itself refuses them, with {@code raise_exception}, the message is the template's own;
 * else it names the line, what was found and what was expected.
 */
public final class TemplateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Characters of a problem that a message shows: a problem may quote a template at length. */
  private static final int LONGEST = 2000;

  private final int line;
  private final String problem;
  private final boolean raised;

  private TemplateException(String message, int line, String problem, boolean raised) {
    super(message);
    this.line = line;
    this.problem = problem;
    this.raised = raised;
  }

  /**
   * A problem in a line of the template.
   *
   * @param line from 1
   * @param problem what was found and what was expected
   */
  public static TemplateException at(int line, String problem) {
    String shown = shown(problem);
    return new TemplateException(
        "template, line %d: %s".formatted(line, shown), line, shown, false);
  }

  /** What a template said when it refused its messages in a line. */
  public static TemplateException raised(int line, String message) {
    String shown = shown(message);
    return new TemplateException(shown, line, shown, true);
  }

  private static String shown(String text) {
    Objects.requireNonNull(text, "text");
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }

  /** The line of the template, from 1. */
  public int line() {
    return line;
  }

  /** What is wrong, without the line. */
  public String problem() {
    return problem;
  }

  /** Whether the template itself refused, with {@code raise_exception}. */
  public boolean isRaised() {
    return raised;
  }
}
