package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupKernel.DEPTH;
import static dev.gdn.kernels.vector.GroupKernel.STRIDE;
import static dev.gdn.kernels.vector.GroupKernel.TOKENS;
import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.ORIGIN;

import dev.gdn.core.tensor.TokenTensor;

/**
 * A block of tokens, quantised as in {@link QuantizedTokens}, laid out for products with groups of
 * rows: {@code [columns / DEPTH, tokens, STRIDE]}, so that a tile's tokens lie near each other,
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
  private int padded;

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
    this.padded = GroupKernel.padded(tokens);
    int strips = Math.multiplyExact((columns + DEPTH - 1) / DEPTH, padded);
    int size = Math.addExact(ORIGIN, Math.multiplyExact(strips, STRIDE));
    if (values.length < size) {
      values = new int[size];
      scales = new float[strips * SCALES];
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
    return ORIGIN + (column / DEPTH * padded + token) * STRIDE;
  }

  /** Where its scales start, one for each block, times {@link ShortTile#UNIT}. */
  int scalesAt(int column, int token) {
    return (column / DEPTH * padded + token) * SCALES;
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
