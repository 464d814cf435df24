package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.ORIGIN;
import static dev.gdn.kernels.vector.TokenPanels.WIDTH;

import dev.gdn.core.tensor.TokenTensor;

/**
 * A block of tokens, quantised as in {@link QuantizedTokens}, laid out for {@link ShortTile}.
 * Missing tokens have a scale of zero.
 */
final class QuantizedPanels {
  private final int[][] rounded;
  private int[] values = {};
  private float[] scales = {};
  private TokenTensor x;
  private int tokens;
  private int columns;

  /**
   * @param threads how many may call {@link #pack} at the same time
   */
  QuantizedPanels(int threads) {
    rounded = new int[2 * threads][BLOCK];
  }

  /** Says what {@link #pack} is going to lay out. */
  void prepare(TokenTensor x, int tokens, int columns) {
    this.x = x;
    this.tokens = tokens;
    this.columns = columns;
    int size = Math.multiplyExact(TokenPanels.count(tokens) * LENGTH, columns);
    if (values.length - ORIGIN < size) {
      values = new int[ORIGIN + size];
      scales = new float[2 * size / BLOCK];
    }
  }

  /** {@code [panels, columns, LENGTH]}: token i and, in the upper half, token i + LENGTH. */
  int[] values() {
    return values;
  }

  /** {@code [panels, columns / 32, WIDTH]}. */
  float[] scales() {
    return scales;
  }

  /** Where column {@code column} of a panel starts in the values. */
  int at(int panel, int column) {
    return ORIGIN + (panel * columns + column) * LENGTH;
  }

  /** Where the scales of column {@code column} of a panel start. */
  int scalesAt(int panel, int column) {
    return (panel * columns + column) / BLOCK * WIDTH;
  }

  /** Lays out one panel. */
  void pack(int panel, int worker) {
    int[] lower = rounded[2 * worker];
    int[] upper = rounded[2 * worker + 1];
    int first = panel * WIDTH;
    for (int c = 0; c < columns; c += BLOCK) {
      int scale = scalesAt(panel, c);
      for (int t = 0; t < LENGTH; t++) {
        scales[scale + t] = round(first + t, c, lower);
        scales[scale + t + LENGTH] = round(first + t + LENGTH, c, upper);
        spread(lower, upper, values, at(panel, c) + t);
      }
    }
  }

  private float round(int token, int column, int[] block) {
    // What a block holds does not count where the scale is zero.
    return token < tokens ? QuantizedTokens.round(x.data(), x.at(token) + column, block) : 0;
  }

  private static void spread(int[] lower, int[] upper, int[] target, int to) {
    for (int i = 0; i < BLOCK; i++) {
      target[to + i * LENGTH] = lower[i] & 0xFFFF | upper[i] << 16;
    }
  }
}
