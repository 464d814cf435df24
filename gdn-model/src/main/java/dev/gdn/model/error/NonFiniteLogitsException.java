package dev.gdn.model.error;

/**
 * No token can be chosen or scored: the model's logits hold no finite number, for its weights are
 * damaged.
 */
public final class NonFiniteLogitsException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * @param count logits, one for each vocabulary entry
   */
  public NonFiniteLogitsException(int count) {
    super(
        "no finite number among %d logits: the checkpoint's weights hold or lead to infinities"
            .formatted(count));
  }
}
