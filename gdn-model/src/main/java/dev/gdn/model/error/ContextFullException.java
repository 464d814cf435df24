package dev.gdn.model.error;

/** The tokens do not fit the session's context. The session is as it was before the call. */
public final class ContextFullException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * @param position tokens that the session holds
   * @param tokens tokens that were to be added
   * @param context tokens that it can hold
   */
  public ContextFullException(int position, int tokens, int context) {
    super(
        "context: %d tokens are held and %d more do not fit; it ends at %d"
            .formatted(position, tokens, context));
  }
}
