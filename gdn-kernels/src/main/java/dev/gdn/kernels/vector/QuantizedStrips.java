package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupKernel.DEPTH;
import static dev.gdn.kernels.vector.GroupKernel.TOKENS;
import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;

import dev.gdn.core.tensor.TokenTensor;

/**
 * A block of tokens, quantised as in {@link QuantizedTokens}, laid out by a {@link StripLayout},
 * with every integer twice in an int. Missing tokens have scales of zero.
 */
final class QuantizedStrips {
  /** Scales of a strip of a token. */
  static final int SCALES = DEPTH / BLOCK;

  private final int[][] rounded;
  private int[] values = {};
  private float[] scales = {};
  private TokenTensor x;
  private int tokens;
  private int columns;
  private StripLayout layout;

  /**
   * @param threads how many may call {@link #pack} at the same time
   */
  QuantizedStrips(int threads) {
    rounded = new int[threads][BLOCK];
  }

  /** Says what {@link #pack} is going to lay out. */
  void prepare(TokenTensor x, int tokens, int columns) {
    this.x = x;
    this.tokens = tokens;
    this.columns = columns;
    layout = StripLayout.of(tokens, columns);
    if (values.length < layout.size()) {
      values = new int[layout.size()];
      scales = new float[layout.strips() * SCALES];
    }
  }

  int[] values() {
    return values;
  }

  float[] scales() {
    return scales;
  }

  /** Where the integers of a strip of a token start. */
  int at(int column, int token) {
    return layout.at(column, token);
  }

  /** Where its scales start, one for each block, times {@link ShortTile#UNIT}. */
  int scalesAt(int column, int token) {
    return layout.strip(column, token) * SCALES;
  }

  /** Lays out one tile's tokens. */
  void pack(int tile, int worker) {
    for (int t = tile * TOKENS; t < (tile + 1) * TOKENS; t++) {
      for (int c = 0; c < columns; c += BLOCK) {
        int block = c % DEPTH;
        float scale = 0;
        if (t < tokens) {
          scale = QuantizedTokens.round(x.data(), x.at(t) + c, rounded[worker]);
          twice(rounded[worker], values, at(c, t) + block);
        }
        scales[scalesAt(c, t) + block / BLOCK] = scale * ShortTile.UNIT;
      }
    }
  }

  private static void twice(int[] block, int[] target, int to) {
    for (int i = 0; i < BLOCK; i++) {
      target[to + i] = block[i] & 0xFFFF | block[i] << 16;
    }
  }
}
