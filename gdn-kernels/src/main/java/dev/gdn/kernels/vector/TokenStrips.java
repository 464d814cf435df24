package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupKernel.DEPTH;
import static dev.gdn.kernels.vector.GroupKernel.STRIDE;
import static dev.gdn.kernels.vector.GroupKernel.TOKENS;
import static dev.gdn.kernels.vector.MatrixLanes.ORIGIN;

import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;

/**
 * A block of tokens laid out for products with groups of rows: {@code [columns / DEPTH, tokens,
 * STRIDE]}, so that a tile's tokens lie near each other.
 */
final class TokenStrips {
  private float[] data = {};
  private TokenTensor x;
  private int tokens;
  private int columns;
  private int padded;

  /** Says what {@link #pack} is going to lay out. */
  void prepare(TokenTensor x, int tokens, int columns) {
    this.x = x;
    this.tokens = tokens;
    this.columns = columns;
    this.padded = GroupKernel.padded(tokens);
    int size = Math.addExact(ORIGIN, Math.multiplyExact(strips(columns), padded * STRIDE));
    if (data.length < size) {
      data = new float[size];
    }
  }

  /** Strips of so many columns. */
  static int strips(int columns) {
    return (columns + DEPTH - 1) / DEPTH;
  }

  float[] data() {
    return data;
  }

  /** Where a strip of a token starts. */
  int at(int column, int token) {
    return ORIGIN + (column / DEPTH * padded + token) * STRIDE;
  }

  /** Lays out one tile's tokens; tiles may be laid out at the same time. */
  void pack(int tile) {
    for (int t = tile * TOKENS; t < (tile + 1) * TOKENS; t++) {
      for (int c = 0; c < columns; c += DEPTH) {
        int depth = Math.min(DEPTH, columns - c);
        if (t < tokens) {
          System.arraycopy(x.data(), x.at(t) + c, data, at(c, t), depth);
        } else {
          Arrays.fill(data, at(c, t), at(c, t) + depth, 0);
        }
      }
    }
  }
}
