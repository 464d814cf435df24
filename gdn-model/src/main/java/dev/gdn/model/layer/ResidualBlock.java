package dev.gdn.model.layer;

import dev.gdn.core.tensor.TokenTensor;

/** How one block of a layer reads and writes the residual stream, for one session. */
sealed interface ResidualBlock permits NormBefore, NormAfter, GatedStreams {
  /**
   * What the block takes, {@code [tokens, hidden]}: valid until the next call of any residual.
   *
   * @param hidden {@code [tokens, residual width]}, not changed
   */
  TokenTensor read(TokenTensor hidden, int tokens);

  /**
   * Adds what the block gave.
   *
   * @param y {@code [tokens, hidden]}; may be overwritten
   * @param hidden {@code [tokens, residual width]}
   */
  void write(TokenTensor y, TokenTensor hidden, int tokens);
}
