package dev.gdn.model.observer;

import dev.gdn.core.tensor.TokenTensor;

/**
 * Sees what a forward pass computes. What is handed over is valid during the call alone and is not
 * to be changed.
 */
public interface ForwardObserver {
  /** Sees nothing. */
  ForwardObserver NONE = new ForwardObserver() {};

  /**
   * The hidden states of a block of tokens.
   *
   * @param layer 0 after the embedding, i after the i-th layer, and one more after the final norm
   *     if the observer {@linkplain #wantsLogits() wants logits}
   * @param position of the block's first token in the sequence
   * @param tokens of the block
   * @param hidden {@code [tokens, hidden size]}
   */
  default void hidden(int layer, int position, int tokens, TokenTensor hidden) {}

  /** Whether {@link #logits} wants to be called: the head costs a large product for each token. */
  default boolean wantsLogits() {
    return false;
  }

  /**
   * The logits that follow one token.
   *
   * @param position of the token in the sequence
   * @param values an array that holds them
   * @param offset index of the first
   * @param count one for each vocabulary entry
   */
  default void logits(int position, float[] values, int offset, int count) {}

  /**
   * Progress of a prompt; where a part of it may have been read before, first with none done.
   *
   * @param done tokens of this call that are processed
   * @param total tokens that this call processes, without those that are reused
   */
  default void progress(int done, int total) {}

  /**
   * Whether the prompt is to be given up. Asked between the parts of a prompt, by the thread that
   * computes; another may have decided it.
   */
  default boolean isCancelled() {
    return false;
  }
}
