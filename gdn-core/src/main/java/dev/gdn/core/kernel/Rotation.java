package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;

/** Rotary position embedding of the first elements of each head. */
public interface Rotation {
  /**
   * Rotates in place. With R = 2 · {@code angles.pairs()}, the pair (x_i, x_(i + R/2)) of each head
   * is turned by the angle of pair i; elements from R on stay.
   *
   * @param x {@code [tokens, heads, width]}, the width at least R
   * @param angles of the first {@code tokens} tokens
   */
  void rotate(RotaryAngles angles, TokenTensor x, int tokens);
}
