package dev.gdn.core.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Turns float32 into stored blocks, bit for bit as GGML's reference does
 * (https://github.com/ggml-org/ggml, {@code quantize_row_q8_0_ref} and {@code
 * quantize_row_q4_0_ref}). Values are expected to be finite.
 */
public final class BlockEncoder {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private BlockEncoder() {}

  /**
   * Encodes consecutive elements of one row.
   *
   * @param source holds {@code count} values from {@code offset} on
   * @param count a whole number of the type's blocks
   * @param target takes {@code type.bytes(count)} bytes from byte {@code to} on
   * @throws IllegalArgumentException if they are no whole number of blocks
   * @throws IndexOutOfBoundsException if source or target is too short
   */
  public static void encode(
      DataType type, float[] source, int offset, int count, MemorySegment target, long to) {
    Objects.checkFromIndexSize(offset, count, source.length);
    Objects.checkFromIndexSize(to, type.bytes(count), target.byteSize());
    switch (type) {
      case F32 -> MemorySegment.copy(source, offset, target, FLOAT, to, count);
      case F16 -> {
        for (int i = 0; i < count; i++) {
          target.set(SHORT, to + 2L * i, Float.floatToFloat16(source[offset + i]));
        }
      }
      case BF16 -> {
        for (int i = 0; i < count; i++) {
          target.set(SHORT, to + 2L * i, toBfloat16(source[offset + i]));
        }
      }
      case Q8_0 -> {
        for (int i = 0; i < count; i += 32, to += 34) {
          encodeQ8(source, offset + i, target, to);
        }
      }
      case Q4_0 -> {
        for (int i = 0; i < count; i += 32, to += 18) {
          encodeQ4(source, offset + i, target, to);
        }
      }
    }
  }

  /** The nearest number, ties to even; a NaN stays one. */
  private static short toBfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (short) (bits >>> 16 | 0x40);
    }
    return (short) (bits + 0x7FFF + (bits >>> 16 & 1) >>> 16);
  }

  private static void encodeQ8(float[] x, int at, MemorySegment target, long to) {
    float largest = 0;
    for (int j = 0; j < 32; j++) {
      largest = Math.max(largest, Math.abs(x[at + j]));
    }
    float scale = largest / 127;
    float inverse = scale == 0 ? 0 : 1 / scale;
    target.set(SHORT, to, Float.floatToFloat16(scale));
    for (int j = 0; j < 32; j++) {
      target.set(ValueLayout.JAVA_BYTE, to + 2 + j, (byte) round(x[at + j] * inverse));
    }
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

  // The scale has the sign that lets -8, the value without a positive twin, stand for the largest.
  // The reference's compilers fuse the multiplication and the addition, which decides some ties.
  private static void encodeQ4(float[] x, int at, MemorySegment target, long to) {
    float largest = 0;
    for (int j = 0; j < 32; j++) {
      if (Math.abs(x[at + j]) > Math.abs(largest)) {
        largest = x[at + j];
      }
    }
    float scale = largest / -8;
    float inverse = scale == 0 ? 0 : 1 / scale;
    target.set(SHORT, to, Float.floatToFloat16(scale));
    for (int j = 0; j < 16; j++) {
      int low = Math.min(15, (int) Math.fma(x[at + j], inverse, 8.5f));
      int high = Math.min(15, (int) Math.fma(x[at + j + 16], inverse, 8.5f));
      target.set(ValueLayout.JAVA_BYTE, to + 2 + j, (byte) (low | high << 4));
    }
  }
}
