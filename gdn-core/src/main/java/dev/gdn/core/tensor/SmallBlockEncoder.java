package dev.gdn.core.tensor;

import static dev.gdn.core.tensor.BlockEncoder.putHalf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The reverse of {@link SmallBlocks}. The reference's compilers fuse a multiplication and the
 * addition that rounds, which decides some ties.
 */
final class SmallBlockEncoder {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private SmallBlockEncoder() {}

  static void q8(float[] x, int at, MemorySegment target, long to) {
    float scale = Math.abs(largest(x, at)) / 127;
    float inverse = inverse(scale);
    putHalf(target, to, scale);
    for (int j = 0; j < 32; j++) {
      target.set(ValueLayout.JAVA_BYTE, to + 2 + j, (byte) round(x[at + j] * inverse));
    }
  }

  // The scale has the sign that lets -8, the value without a positive twin, stand for the largest.
  static void q4(float[] x, int at, MemorySegment target, long to) {
    float scale = largest(x, at) / -8;
    float inverse = inverse(scale);
    putHalf(target, to, scale);
    for (int j = 0; j < 16; j++) {
      int low = Math.min(15, (int) Math.fma(x[at + j], inverse, 8.5f));
      int high = Math.min(15, (int) Math.fma(x[at + j + 16], inverse, 8.5f));
      target.set(ValueLayout.JAVA_BYTE, to + 2 + j, (byte) (low | high << 4));
    }
  }

  static void q4WithMinimum(float[] x, int at, MemorySegment target, long to) {
    float minimum = smallest(x, at);
    float inverse = putRange(x, at, minimum, 15, target, to);
    for (int j = 0; j < 16; j++) {
      int low = Math.min(15, (int) Math.fma(x[at + j] - minimum, inverse, 0.5f));
      int high = Math.min(15, (int) Math.fma(x[at + j + 16] - minimum, inverse, 0.5f));
      target.set(ValueLayout.JAVA_BYTE, to + 4 + j, (byte) (low | high << 4));
    }
  }

  static void q5(float[] x, int at, MemorySegment target, long to) {
    float scale = largest(x, at) / -16;
    float inverse = inverse(scale);
    putHalf(target, to, scale);
    int fifths = 0;
    for (int j = 0; j < 16; j++) {
      int low = Math.min(31, (int) Math.fma(x[at + j], inverse, 16.5f));
      int high = Math.min(31, (int) Math.fma(x[at + j + 16], inverse, 16.5f));
      fifths |= low >> 4 << j | high >> 4 << j + 16;
      target.set(ValueLayout.JAVA_BYTE, to + 6 + j, (byte) (low & 0xF | high << 4));
    }
    target.set(INT, to + 2, fifths);
  }

  static void q5WithMinimum(float[] x, int at, MemorySegment target, long to) {
    float minimum = smallest(x, at);
    float inverse = putRange(x, at, minimum, 31, target, to);
    int fifths = 0;
    for (int j = 0; j < 16; j++) {
      int low = Math.min(31, (int) Math.fma(x[at + j] - minimum, inverse, 0.5f));
      int high = Math.min(31, (int) Math.fma(x[at + j + 16] - minimum, inverse, 0.5f));
      fifths |= low >> 4 << j | high >> 4 << j + 16;
      target.set(ValueLayout.JAVA_BYTE, to + 8 + j, (byte) (low & 0xF | high << 4));
    }
    target.set(INT, to + 4, fifths);
  }

  /** Stores scale and minimum of so many steps and returns the scale's inverse. */
  private static float putRange(
      float[] x, int at, float minimum, int steps, MemorySegment target, long to) {
    float largest = x[at];
    for (int j = 1; j < 32; j++) {
      largest = Math.max(largest, x[at + j]);
    }
    float scale = (largest - minimum) / steps;
    putHalf(target, to, scale);
    putHalf(target, to + 2, minimum);
    return inverse(scale);
  }

  private static float inverse(float scale) {
    return scale == 0 ? 0 : 1 / scale;
  }

  /** The value of the largest magnitude, the first of them. */
  private static float largest(float[] x, int at) {
    float largest = 0;
    for (int j = 0; j < 32; j++) {
      if (Math.abs(x[at + j]) > Math.abs(largest)) {
        largest = x[at + j];
      }
    }
    return largest;
  }

  private static float smallest(float[] x, int at) {
    float smallest = x[at];
    for (int j = 1; j < 32; j++) {
      smallest = Math.min(smallest, x[at + j]);
    }
    return smallest;
  }

  /** The nearest integer, ties away from zero as in C's {@code roundf}. */
  private static int round(float value) {
    float size = Math.abs(value);
    int whole = (int) size;
    if (size - whole >= 0.5f) {
      whole++;
    }
    return value < 0 ? -whole : whole;
  }
}
