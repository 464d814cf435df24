package dev.gdn.model.layer;

import dev.gdn.core.tensor.TokenTensor;

/** Runs what follows the token mixing in one layer, for one session. */
sealed interface FeedForwardBlock permits DenseBlock, MixtureBlock {
  /**
   * Leaves the result in the view that the block was made with.
   *
   * @param x {@code [tokens, hidden]}, normalised
   */
  void apply(TokenTensor x, int tokens);
}
