package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.ORIGIN;

import dev.gdn.core.tensor.TokenTensor;

/**
 * A block of tokens laid out for {@link FloatTile}: panels {@code [columns, WIDTH]} of two vectors
 * of tokens each. Missing tokens are zero.
 */
final class TokenPanels {
  /** Tokens of a panel. */
  static final int WIDTH = 2 * LENGTH;

  private static final int COLUMNS_AT_ONCE = 16;

  private float[] data = {};
  private TokenTensor x;
  private int tokens;
  private int columns;

  /** Says what {@link #pack} is going to lay out. */
  void prepare(TokenTensor x, int tokens, int columns) {
    this.x = x;
    this.tokens = tokens;
    this.columns = columns;
    int size = Math.addExact(ORIGIN, Math.multiplyExact(count(tokens) * WIDTH, columns));
    if (data.length < size) {
      data = new float[size];
    }
  }

  float[] data() {
    return data;
  }

  /** Panels that hold {@code tokens} tokens. */
  static int count(int tokens) {
    return (tokens + WIDTH - 1) / WIDTH;
  }

  /** True if a panel's second vector of tokens is empty. */
  boolean isNarrow(int panel) {
    return tokens - panel * WIDTH <= LENGTH;
  }

  /** Where column {@code column} of a panel starts. */
  int at(int panel, int column) {
    return ORIGIN + (panel * columns + column) * WIDTH;
  }

  /** Lays out one panel; panels may be laid out at the same time. */
  void pack(int panel) {
    int first = panel * WIDTH;
    int filled = Math.min(WIDTH, tokens - first);
    for (int c = 0; c < columns; c += COLUMNS_AT_ONCE) {
      int some = Math.min(COLUMNS_AT_ONCE, columns - c);
      int target = at(panel, c);
      for (int t = 0; t < filled; t++) {
        spread(x.data(), x.at(first + t) + c, some, data, target + t);
      }
      for (int t = filled; t < WIDTH; t++) {
        clear(some, data, target + t);
      }
    }
  }

  private static void spread(float[] source, int from, int count, float[] target, int to) {
    for (int i = 0; i < count; i++) {
      target[to + i * WIDTH] = source[from + i];
    }
  }

  private static void clear(int count, float[] target, int to) {
    for (int i = 0; i < count; i++) {
      target[to + i * WIDTH] = 0;
    }
  }

  /** Takes one token out of a panel of {@code count} rows: the reverse of what packing does. */
  static void collect(float[] source, int from, int count, float[] target, int to) {
    for (int i = 0; i < count; i++) {
      target[to + i] = source[from + i * WIDTH];
    }
  }
}
