package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;

/**
 * Quantised tokens as {@link NibbleGroups} meets pairs of 4-bit weights that share a byte, without
 * taking these apart. With p = 16 h + l, the sum of (l - 8) x and (h - 8) y is p x + h (y - 16 x) -
 * 8 (x + y), and h is p shifted. All is modulo 2^16, which the sum over a block does not reach.
 */
final class FoldedTokens {
  private short[] values = {};
  private short[] starts = {};
  private int columns;

  /** Makes room for so many tokens. */
  void reserve(int tokens, int columns) {
    this.columns = columns;
    int size = Math.multiplyExact(tokens, columns);
    if (values.length < size) {
      values = new short[size];
      starts = new short[size / BLOCK];
    }
  }

  /** Folds some tokens. */
  void fold(QuantizedTokens x, int first, int tokens) {
    for (int i = first * columns; i < (first + tokens) * columns; i += BLOCK) {
      foldBlock(x.values(), i);
    }
  }

  private void foldBlock(short[] x, int from) {
    int sum = 0;
    for (int i = from; i < from + BLOCK / 2; i++) {
      values[i] = x[i];
      values[i + BLOCK / 2] = (short) (x[i + BLOCK / 2] - 16 * x[i]);
      sum += x[i] + x[i + BLOCK / 2];
    }
    starts[from / BLOCK] = (short) (-8 * sum);
  }

  /** For each block, 16 that meet whole bytes and 16 that meet their upper nibbles. */
  short[] values() {
    return values;
  }

  /** What the sum of each block begins with. */
  short[] starts() {
    return starts;
  }
}
