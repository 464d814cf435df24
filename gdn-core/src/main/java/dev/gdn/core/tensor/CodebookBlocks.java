package dev.gdn.core.tensor;

import static dev.gdn.core.tensor.BlockDecoder.half;
import static dev.gdn.core.tensor.BlockDecoder.unsigned;
import static dev.gdn.core.tensor.BlockDecoder.unsignedShort;

import java.lang.foreign.MemorySegment;

/**
 * GGUF blocks whose four-bit elements are indices of a table. Nibbles as in {@link SmallBlocks}.
 */
final class CodebookBlocks {
  private static final int[] NONLINEAR = {
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113
  };

  /** Numbers with a sign, two bits of exponent and one of mantissa (E2M1), times two. */
  private static final int[] TINY_FLOATS = {
    0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12
  };

  private CodebookBlocks() {}

  static void nonlinear(MemorySegment data, long from, float[] target, int offset) {
    lookUp(NONLINEAR, half(data, from), data, from + 2, target, offset);
  }

  // Scale, two bytes of upper pairs of bits, four bytes of nibbles of scales, 128 bytes of indices.
  static void nonlinearGroups(MemorySegment data, long from, float[] target, int offset) {
    float scale = half(data, from);
    int upper = unsignedShort(data, from + 2);
    for (int group = 0; group < 8; group++) {
      int lower = unsigned(data, from + 4 + group / 2) >> group % 2 * 4 & 0xF;
      int factor = ((upper >> 2 * group & 3) << 4 | lower) - 32;
      lookUp(NONLINEAR, scale * factor, data, from + 8 + 16 * group, target, offset + 32 * group);
    }
  }

  static void microscaling(MemorySegment data, long from, float[] target, int offset) {
    lookUp(TINY_FLOATS, halfPower(unsigned(data, from)), data, from + 1, target, offset);
  }

  /**
   * 2^(exponent - 128), half of what the exponent stands for, as the table is twice its numbers.
   */
  private static float halfPower(int exponent) {
    // Below the smallest normal number a power of two is one bit of the fraction.
    return Float.intBitsToFloat(exponent < 2 ? 0x200000 << exponent : exponent - 1 << 23);
  }

  private static void lookUp(
      int[] table, float scale, MemorySegment data, long from, float[] target, int offset) {
    for (int j = 0; j < 16; j++) {
      int pair = unsigned(data, from + j);
      target[offset + j] = scale * table[pair & 0xF];
      target[offset + j + 16] = scale * table[pair >> 4];
    }
  }
}
