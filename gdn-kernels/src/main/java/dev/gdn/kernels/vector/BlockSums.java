package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;

/**
 * Sums of the integers of quantised tokens, for weights that are stored with an offset. A sum of
 * products of 16 bits begins with what the offset takes from it, so that it is exact modulo 2^16
 * whatever it passes on its way.
 */
final class BlockSums {
  /** Columns whose products with six bits have a sum in 16 bits. */
  static final int EIGHTH = 8;

  /** Columns whose products with five bits have a sum in 16 bits. */
  static final int HALF_BLOCK = 16;

  private short[] nibbleStarts = {};
  private short[] fiveBitStarts = {};
  private short[] sixBitStarts = {};
  private float[] weighted = {};
  private int columns;

  /** Makes room for so many tokens. */
  void reserve(int tokens, int columns) {
    this.columns = columns;
    int size = Math.multiplyExact(tokens, columns);
    if (weighted.length * BLOCK < size) {
      nibbleStarts = new short[size / BLOCK];
      weighted = new float[size / BLOCK];
      fiveBitStarts = new short[size / HALF_BLOCK];
      sixBitStarts = new short[size / EIGHTH];
    }
  }

  /** Sums some tokens. */
  void add(QuantizedTokens x, int first, int tokens) {
    for (int i = first * columns; i < (first + tokens) * columns; i += BLOCK) {
      int sum = 0;
      for (int j = i; j < i + BLOCK; j += HALF_BLOCK) {
        int lower = sum(x.values(), j);
        int upper = sum(x.values(), j + EIGHTH);
        sixBitStarts[j / EIGHTH] = (short) (-32 * lower);
        sixBitStarts[j / EIGHTH + 1] = (short) (-32 * upper);
        fiveBitStarts[j / HALF_BLOCK] = (short) (-16 * (lower + upper));
        sum += lower + upper;
      }
      nibbleStarts[i / BLOCK] = (short) (-8 * sum);
      weighted[i / BLOCK] = sum * x.scales()[i / BLOCK];
    }
  }

  private static int sum(short[] values, int from) {
    int sum = 0;
    for (int i = from; i < from + EIGHTH; i++) {
      sum += values[i];
    }
    return sum;
  }

  /** Of each block: minus eight times its sum. */
  short[] nibbleStarts() {
    return nibbleStarts;
  }

  /** Of each {@link #HALF_BLOCK}: minus 16 times its sum. */
  short[] fiveBitStarts() {
    return fiveBitStarts;
  }

  /** Of each {@link #EIGHTH}: minus 32 times its sum. */
  short[] sixBitStarts() {
    return sixBitStarts;
  }

  /** Of each block: its sum, times the block's scale. */
  float[] weighted() {
    return weighted;
  }
}
