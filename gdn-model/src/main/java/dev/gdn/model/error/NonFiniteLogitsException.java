package dev.gdn.model.error;

/**
 * A model's logits cannot be used, for its weights are damaged: none is a finite number, so that no
 * token can be chosen or scored, or one is not where all are wanted.
 */
public final class NonFiniteLogitsException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * None of them is finite.
   *
   * @param count logits, one for each vocabulary entry
   */
  public NonFiniteLogitsException(int count) {
    super(
        "no finite number among %d logits: the checkpoint's weights hold or lead to infinities"
            .formatted(count));
  }

  private NonFiniteLogitsException(int token, float found, int position) {
    super(
        "logit of token %d after position %d: expected a finite number, found %s: the checkpoint's weights hold or lead to infinities"
            .formatted(token, position, found));
  }

  /**
   * Checks logits that are to be used as they are, every one.
   *
   * @param position of the token that they follow
   * @param logits holds them from {@code offset} on
   * @param count one for each vocabulary entry
   * @throws NonFiniteLogitsException for the first that is not finite
   */
  public static void check(int position, float[] logits, int offset, int count) {
    for (int i = 0; i < count; i++) {
      if (!Float.isFinite(logits[offset + i])) {
        throw new NonFiniteLogitsException(i, logits[offset + i], position);
      }
    }
  }
}
