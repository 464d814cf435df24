package dev.gdn.model.template;

import dev.gdn.model.error.TemplateException;

/**
 * What an operation cannot do, in the words of the reference where it has some; whoever knows the
 * line makes it a {@link TemplateException}.
 */
final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean raised;

  Problem(String message) {
    this(message, false);
  }

  private Problem(String message, boolean raised) {
    super(message, null, false, false);
    this.raised = raised;
  }

  /** What the template itself says with {@code raise_exception}. */
  static Problem raised(String message) {
    return new Problem(message, true);
  }

  TemplateException at(int line) {
    return raised
        ? TemplateException.raised(line, getMessage())
        : TemplateException.at(line, getMessage());
  }
}
