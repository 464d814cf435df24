package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.TokenPanels.WIDTH;

import dev.gdn.core.tensor.TokenTensor;

/**
 * A block of tokens, quantised as in {@link QuantizedTokens}, laid out for {@link ShortTile}.
 * Missing tokens have a scale of zero.
 */
final class QuantizedPanels {
  private final int[][] rounded;
  private short[] values = {};
  private float[] scales = {};
  private TokenTensor x;
  private int tokens;
  private int columns;

  /**
   * @param threads how many may call {@link #pack} at the same time
   */
  QuantizedPanels(int threads) {
    rounded = new int[threads][BLOCK];
  }

  /** Says what {@link #pack} is going to lay out. */
  void prepare(TokenTensor x, int tokens, int columns) {
    this.x = x;
    this.tokens = tokens;
    this.columns = columns;
    int size = Math.multiplyExact(TokenPanels.count(tokens) * WIDTH, columns);
    if (values.length < size) {
      values = new short[size];
      scales = new float[size / BLOCK];
    }
  }

  short[] values() {
    return values;
  }

  /** {@code [panels, columns / 32, WIDTH]}. */
  float[] scales() {
    return scales;
  }

  /** Where column {@code column} of a panel starts. */
  int at(int panel, int column) {
    return (panel * columns + column) * WIDTH;
  }

  /** Lays out one panel. */
  void pack(int panel, int worker) {
    int first = panel * WIDTH;
    int filled = Math.min(WIDTH, tokens - first);
    for (int c = 0; c < columns; c += BLOCK) {
      int target = at(panel, c);
      for (int t = 0; t < filled; t++) {
        int lane = t < LENGTH ? 2 * t : 2 * (t - LENGTH) + 1;
        scales[target / BLOCK + t] =
            QuantizedTokens.round(x.data(), x.at(first + t) + c, rounded[worker]);
        spread(rounded[worker], values, target + lane);
      }
      for (int t = filled; t < WIDTH; t++) {
        scales[target / BLOCK + t] = 0;
      }
    }
  }

  private static void spread(int[] source, short[] target, int to) {
    for (int i = 0; i < BLOCK; i++) {
      target[to + i * WIDTH] = (short) source[i];
    }
  }
}
