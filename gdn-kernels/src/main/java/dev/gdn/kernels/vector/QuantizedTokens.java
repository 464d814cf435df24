package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.INTS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;

import dev.gdn.core.tensor.TokenTensor;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Tokens in eight bits and a sign: every block of 32 columns has a scale, its largest magnitude
 * over 127. This is how llama.cpp, too, meets 4-bit weights.
 */
final class QuantizedTokens {
  // Added to a number below 2^22, it leaves the nearest integer in the lower bits.
  private static final float ROUND = 0x1.8p23f;

  // 127 over it is finite. A block of smaller values only is taken for zeros.
  private static final float SMALLEST = 0x1p-118f;

  private short[] values = {};
  private float[] scales = {};
  private final int[] block = new int[BLOCK];
  private int columns;

  /** Makes room for the integers of so many tokens. */
  void reserve(int tokens, int columns) {
    this.columns = columns;
    int size = Math.multiplyExact(tokens, columns);
    if (values.length < size) {
      values = new short[size];
      scales = new float[size / BLOCK];
    }
  }

  /** Rounds some tokens, of {@code columns} elements each. */
  void quantize(TokenTensor x, int first, int tokens) {
    for (int t = first; t < first + tokens; t++) {
      for (int c = 0; c < columns; c += BLOCK) {
        quantizeBlock(x.data(), x.at(t) + c, t * columns + c);
      }
    }
  }

  private void quantizeBlock(float[] x, int from, int to) {
    scales[to / BLOCK] = round(x, from, block);
    for (int i = 0; i < BLOCK; i++) {
      values[to + i] = (short) block[i];
    }
  }

  /** Rounds a block to integers from -127 to 127 and returns what they are to be multiplied by. */
  static float round(float[] x, int from, int[] rounded) {
    // Without their sign, floats are in the order of their bits.
    IntVector largest = IntVector.zero(INTS);
    for (int i = 0; i < BLOCK; i += LENGTH) {
      IntVector bits = FloatVector.fromArray(FLOATS, x, from + i).reinterpretAsInts();
      largest = largest.max(bits.and(Integer.MAX_VALUE));
    }
    float magnitude = Float.intBitsToFloat(largest.reduceLanes(VectorOperators.MAX));
    float inverse = magnitude < SMALLEST ? 0 : 127 / magnitude;
    for (int i = 0; i < BLOCK; i += LENGTH) {
      IntVector bits =
          FloatVector.fromArray(FLOATS, x, from + i).mul(inverse).add(ROUND).reinterpretAsInts();
      bits.sub(Float.floatToRawIntBits(ROUND)).intoArray(rounded, i);
    }
    return magnitude / 127;
  }

  /** Integers of the tokens, one after the other. */
  short[] values() {
    return values;
  }

  /** Of every block of every token. */
  float[] scales() {
    return scales;
  }

  /** Where a token starts. */
  int at(int token) {
    return token * columns;
  }
}
