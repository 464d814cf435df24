package dev.gdn.model.error;

/**
 * No token can be chosen: what was asked for, a logit bias or a constraint, rules all of them out.
 */
public final class NoTokenLeftException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * @param cause what rules out which tokens, for example {@code the constraint allows none of 5}
   */
  public NoTokenLeftException(String cause) {
    super("no token is left to choose from: " + cause);
  }
}
