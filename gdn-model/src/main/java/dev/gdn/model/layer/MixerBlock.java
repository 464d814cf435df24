package dev.gdn.model.layer;

import dev.gdn.core.tensor.TokenTensor;

/** Runs what mixes tokens in one layer, for one session. */
sealed interface MixerBlock permits GatedDeltaBlock, AttentionBlock, LatentAttentionBlock {
  /**
   * Takes the next tokens of the sequence, moves the layer's state on, and leaves the result in the
   * view that the block was made with.
   *
   * @param x {@code [tokens, hidden]}, normalised
   */
  void mix(TokenTensor x, int tokens);
}
