package dev.gdn.core.tensor;

import static dev.gdn.core.tensor.BlockDecoder.half;
import static dev.gdn.core.tensor.BlockDecoder.unsigned;
import static dev.gdn.core.tensor.BlockDecoder.unsignedShort;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Blocks of 32 elements with one scale. A byte holds the nibbles of elements j and j + 16. */
final class SmallBlocks {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private SmallBlocks() {}

  static void q8(MemorySegment data, long from, float[] target, int offset) {
    float scale = half(data, from);
    for (int j = 0; j < 32; j++) {
      target[offset + j] = scale * data.get(ValueLayout.JAVA_BYTE, from + 2 + j);
    }
  }

  static void scaledFloat8(MemorySegment data, long from, float[] target, int offset) {
    float scale = data.get(FLOAT, from);
    for (int j = 0; j < 32; j++) {
      target[offset + j] = scale * Float8.toFloat(data.get(ValueLayout.JAVA_BYTE, from + 4 + j));
    }
  }

  static void q4(MemorySegment data, long from, float[] target, int offset) {
    float scale = half(data, from);
    for (int j = 0; j < 16; j++) {
      int pair = unsigned(data, from + 2 + j);
      target[offset + j] = scale * ((pair & 0xF) - 8);
      target[offset + j + 16] = scale * ((pair >> 4) - 8);
    }
  }

  static void q4WithMinimum(MemorySegment data, long from, float[] target, int offset) {
    float scale = half(data, from);
    float minimum = half(data, from + 2);
    for (int j = 0; j < 16; j++) {
      int pair = unsigned(data, from + 4 + j);
      target[offset + j] = scale * (pair & 0xF) + minimum;
      target[offset + j + 16] = scale * (pair >> 4) + minimum;
    }
  }

  static void q5(MemorySegment data, long from, float[] target, int offset) {
    float scale = half(data, from);
    for (int j = 0; j < 32; j++) {
      target[offset + j] = scale * (five(data, from + 2, j) - 16);
    }
  }

  static void q5WithMinimum(MemorySegment data, long from, float[] target, int offset) {
    float scale = half(data, from);
    float minimum = half(data, from + 2);
    for (int j = 0; j < 32; j++) {
      target[offset + j] = scale * five(data, from + 4, j) + minimum;
    }
  }

  /** Five bits of element {@code j}: 32 upper bits stand at {@code from}, nibbles after them. */
  private static int five(MemorySegment data, long from, int j) {
    int upper = unsignedShort(data, from + j / 16 * 2) >> j % 16 & 1;
    int nibble = unsigned(data, from + 4 + j % 16) >> j / 16 * 4 & 0xF;
    return upper << 4 | nibble;
  }
}
