package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupKernel.DEPTH;
import static dev.gdn.kernels.vector.GroupKernel.STRIDE;
import static dev.gdn.kernels.vector.MatrixLanes.ORIGIN;

/**
 * Where strips of tokens lie for products with groups of rows: {@code [columns / DEPTH, tokens,
 * STRIDE]} behind {@link MatrixLanes#ORIGIN}, so that a tile's tokens lie near each other.
 *
 * @param padded tokens, in whole tiles
 * @param strips of all tokens
 */
record StripLayout(int padded, int strips) {
  static StripLayout of(int tokens, int columns) {
    int padded = GroupKernel.padded(tokens);
    return new StripLayout(padded, Math.multiplyExact((columns + DEPTH - 1) / DEPTH, padded));
  }

  /** Elements of an array for all strips. */
  int size() {
    return Math.addExact(ORIGIN, Math.multiplyExact(strips, STRIDE));
  }

  /** Which strip holds a column of a token. */
  int strip(int column, int token) {
    return column / DEPTH * padded + token;
  }

  /** Where that strip starts. */
  int at(int column, int token) {
    return ORIGIN + strip(column, token) * STRIDE;
  }
}
