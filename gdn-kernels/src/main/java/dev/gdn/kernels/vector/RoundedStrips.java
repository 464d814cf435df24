package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupKernel.DEPTH;
import static dev.gdn.kernels.vector.GroupKernel.TOKENS;
import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;

import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;

/**
 * A block of tokens in float32, rounded to what {@link QuantizedTokens} hold, laid out by a {@link
 * StripLayout}. Missing tokens are zero.
 */
final class RoundedStrips {
  private final int[][] rounded;
  private float[] values = {};
  private TokenTensor x;
  private int tokens;
  private int columns;
  private StripLayout layout;

  /**
   * @param threads how many may call {@link #pack} at the same time
   */
  RoundedStrips(int threads) {
    rounded = new int[threads][BLOCK];
  }

  /** Says what {@link #pack} is going to lay out. */
  void prepare(TokenTensor x, int tokens, int columns) {
    this.x = x;
    this.tokens = tokens;
    this.columns = columns;
    layout = StripLayout.of(tokens, columns);
    if (values.length < layout.size()) {
      values = new float[layout.size()];
    }
  }

  float[] values() {
    return values;
  }

  /** Where a strip of a token starts. */
  int at(int column, int token) {
    return layout.at(column, token);
  }

  /** Lays out one tile's tokens. */
  void pack(int tile, int worker) {
    for (int t = tile * TOKENS; t < (tile + 1) * TOKENS; t++) {
      for (int c = 0; c < columns; c += BLOCK) {
        int to = at(c, t) + c % DEPTH;
        if (t < tokens) {
          float scale = QuantizedTokens.round(x.data(), x.at(t) + c, rounded[worker]);
          scale(rounded[worker], scale, values, to);
        } else {
          Arrays.fill(values, to, to + BLOCK, 0);
        }
      }
    }
  }

  private static void scale(int[] block, float scale, float[] target, int to) {
    for (int i = 0; i < BLOCK; i++) {
      target[to + i] = scale * block[i];
    }
  }
}
