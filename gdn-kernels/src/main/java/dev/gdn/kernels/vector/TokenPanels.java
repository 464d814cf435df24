package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;

import dev.gdn.core.tensor.TokenTensor;

/**
 * A block of tokens laid out for {@link FloatTile}: panels {@code [columns, width]} of two vectors
 * of tokens each, the last of one vector where that is enough. Missing tokens are zero.
 */
final class TokenPanels {
  /** Tokens of a wide panel. */
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
    int size = Math.multiplyExact(paddedTokens(), columns);
    if (data.length < size) {
      data = new float[size];
    }
  }

  float[] data() {
    return data;
  }

  int count() {
    return (tokens + WIDTH - 1) / WIDTH;
  }

  /** Tokens with those that fill the last panel. */
  int paddedTokens() {
    return (tokens + LENGTH - 1) / LENGTH * LENGTH;
  }

  /** Tokens that a panel has room for. */
  int width(int panel) {
    return Math.min(WIDTH, paddedTokens() - panel * WIDTH);
  }

  /** Where column {@code column} of a panel starts. */
  int at(int panel, int column) {
    return panel * WIDTH * columns + column * width(panel);
  }

  /** Lays out one panel; panels may be laid out at the same time. */
  void pack(int panel) {
    int first = panel * WIDTH;
    int width = width(panel);
    int filled = Math.min(width, tokens - first);
    for (int c = 0; c < columns; c += COLUMNS_AT_ONCE) {
      int some = Math.min(COLUMNS_AT_ONCE, columns - c);
      int target = at(panel, c);
      for (int t = 0; t < filled; t++) {
        transpose(x.data(), x.at(first + t) + c, some, data, target + t, width);
      }
      for (int t = filled; t < width; t++) {
        for (int i = 0; i < some; i++) {
          data[target + t + i * width] = 0;
        }
      }
    }
  }

  private static void transpose(
      float[] source, int from, int count, float[] target, int to, int stride) {
    for (int i = 0; i < count; i++) {
      target[to + i * stride] = source[from + i];
    }
  }
}
