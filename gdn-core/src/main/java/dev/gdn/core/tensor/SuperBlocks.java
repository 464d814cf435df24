package dev.gdn.core.tensor;

import static dev.gdn.core.tensor.BlockDecoder.half;
import static dev.gdn.core.tensor.BlockDecoder.unsigned;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * GGUF blocks of 256 elements ("K-quants") in groups of 16 or 32, whose scales are small integers
 * times one of the block. Where a byte holds bits of several elements, these are 32 apart.
 */
final class SuperBlocks {
  private static final int ELEMENTS = 256;

  private SuperBlocks() {}

  // 16 bytes of scale (low nibble) and minimum (high), 64 bytes of quanta, scale, minimum.
  static void q2(MemorySegment data, long from, float[] target, int offset) {
    float scale = half(data, from + 80);
    float minimum = half(data, from + 82);
    for (int i = 0; i < ELEMENTS; i++) {
      int group = unsigned(data, from + i / 16);
      int quantum = unsigned(data, from + 16 + byteOfFour(i)) >> shiftOfFour(i) & 3;
      target[offset + i] = scale * (group & 0xF) * quantum - minimum * (group >> 4);
    }
  }

  // 32 bytes of third bits, 64 bytes of quanta, 12 bytes of scales, scale.
  static void q3(MemorySegment data, long from, float[] target, int offset) {
    float scale = half(data, from + 108);
    for (int i = 0; i < ELEMENTS; i++) {
      int upper = unsigned(data, from + i % 32) >> i / 32 & 1;
      int lower = unsigned(data, from + 32 + byteOfFour(i)) >> shiftOfFour(i) & 3;
      target[offset + i] = scale * signedSix(data, from + 96, i / 16) * ((upper << 2 | lower) - 4);
    }
  }

  /** Where the two bits of element {@code i} are: four elements 32 apart share a byte. */
  private static int byteOfFour(int i) {
    return i / 128 * 32 + i % 32;
  }

  private static int shiftOfFour(int i) {
    return i % 128 / 32 * 2;
  }

  /** Scale {@code group} of 16: eight bytes of lower nibbles, four bytes of upper pairs of bits. */
  private static int signedSix(MemorySegment data, long from, int group) {
    int lower = unsigned(data, from + group % 8) >> group / 8 * 4 & 0xF;
    int upper = unsigned(data, from + 8 + group % 4) >> group / 4 * 2 & 3;
    return (upper << 4 | lower) - 32;
  }

  // Scale, minimum, 12 bytes of their factors, 128 bytes of nibbles.
  static void q4(MemorySegment data, long from, float[] target, int offset) {
    for (int group = 0; group < 8; group++) {
      float scale = half(data, from) * six(data, from + 4, group, 0);
      float minimum = half(data, from + 2) * six(data, from + 4, group, 1);
      for (int j = 0; j < 32; j++) {
        int quantum = nibble(data, from + 16, group, j);
        target[offset + group * 32 + j] = scale * quantum - minimum;
      }
    }
  }

  // Scale, minimum, 12 bytes of their factors, 32 bytes of fifth bits, 128 bytes of nibbles.
  static void q5(MemorySegment data, long from, float[] target, int offset) {
    for (int group = 0; group < 8; group++) {
      float scale = half(data, from) * six(data, from + 4, group, 0);
      float minimum = half(data, from + 2) * six(data, from + 4, group, 1);
      for (int j = 0; j < 32; j++) {
        int upper = unsigned(data, from + 16 + j) >> group & 1;
        int quantum = upper << 4 | nibble(data, from + 48, group, j);
        target[offset + group * 32 + j] = scale * quantum - minimum;
      }
    }
  }

  /**
   * Scale ({@code which} is 0) or minimum (1) of a group. The first four are the lower bits of four
   * bytes each; the others have their upper bits above these, their lower ones in four more bytes.
   */
  private static int six(MemorySegment data, long from, int group, int which) {
    int first = unsigned(data, from + 4 * which + group % 4);
    if (group < 4) {
      return first & 63;
    }
    int lower = unsigned(data, from + 8 + group % 4) >> 4 * which & 0xF;
    return first >> 6 << 4 | lower;
  }

  /** Two groups of 32 share 32 bytes. */
  private static int nibble(MemorySegment data, long from, int group, int j) {
    return unsigned(data, from + group / 2 * 32 + j) >> group % 2 * 4 & 0xF;
  }

  // 128 bytes of lower nibbles, 64 bytes of upper pairs of bits, 16 signed bytes of scales, scale.
  static void q6(MemorySegment data, long from, float[] target, int offset) {
    float scale = half(data, from + 208);
    for (int i = 0; i < ELEMENTS; i++) {
      int lower = unsigned(data, from + i / 128 * 64 + i % 64) >> i % 128 / 64 * 4 & 0xF;
      int upper = unsigned(data, from + 128 + byteOfFour(i)) >> shiftOfFour(i) & 3;
      int factor = data.get(ValueLayout.JAVA_BYTE, from + 192 + i / 16);
      target[offset + i] = scale * factor * ((upper << 4 | lower) - 32);
    }
  }
}
