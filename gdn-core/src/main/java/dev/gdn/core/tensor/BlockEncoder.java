package dev.gdn.core.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * Turns float32 into stored blocks: those of 32 elements as GGML's reference does
 * (https://github.com/ggml-org/ggml, {@code quantize_row_*_ref}), Q8_0, Q5_0 and Q4_0 bit for bit;
 * those of 256 with scales that fit best in the least squares. A number that is not finite, or too
 * large for the type, is refused: the block around it would become a plausible one.
 */
public final class BlockEncoder {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final Set<DataType> READ_ONLY =
      EnumSet.of(
          DataType.Q2_K,
          DataType.Q3_K,
          DataType.IQ4_NL,
          DataType.IQ4_XS,
          DataType.MXFP4,
          DataType.F8_E4M3);

  private BlockEncoder() {}

  /** Whether {@link #encode} knows a type; all types can be decoded. */
  public static boolean encodes(DataType type) {
    return !READ_ONLY.contains(type);
  }

  /**
   * Encodes consecutive elements of one row.
   *
   * @param source holds {@code count} values from {@code offset} on
   * @param count a whole number of the type's blocks
   * @param target takes {@code type.bytes(count)} bytes from byte {@code to} on
   * @throws IllegalArgumentException if they are no whole number of blocks, or the type cannot be
   *     encoded
   * @throws UnencodableException for the first value that is not finite or too large for the type;
   *     nothing is written then
   * @throws IndexOutOfBoundsException if source or target is too short
   */
  public static void encode(
      DataType type, float[] source, int offset, int count, MemorySegment target, long to) {
    Objects.checkFromIndexSize(offset, count, source.length);
    Objects.checkFromIndexSize(to, type.bytes(count), target.byteSize());
    EncodableRange.check(type, source, offset, count);
    switch (type) {
      case F32 -> MemorySegment.copy(source, offset, target, FLOAT, to, count);
      case F16 -> {
        for (int i = 0; i < count; i++) {
          putHalf(target, to + 2L * i, source[offset + i]);
        }
      }
      case BF16 -> {
        for (int i = 0; i < count; i++) {
          target.set(SHORT, to + 2L * i, toBfloat16(source[offset + i]));
        }
      }
      default -> {
        Block block = block(type);
        for (int i = 0; i < count; i += type.blockElements(), to += type.blockBytes()) {
          block.encode(source, offset + i, target, to);
        }
      }
    }
  }

  /** Encodes one block. */
  @FunctionalInterface
  private interface Block {
    /** Encodes the block whose values start at {@code at}; all of it is in range. */
    void encode(float[] x, int at, MemorySegment target, long to);
  }

  private static Block block(DataType type) {
    return switch (type) {
      case Q8_0 -> SmallBlockEncoder::q8;
      case Q4_0 -> SmallBlockEncoder::q4;
      case Q4_1 -> SmallBlockEncoder::q4WithMinimum;
      case Q5_0 -> SmallBlockEncoder::q5;
      case Q5_1 -> SmallBlockEncoder::q5WithMinimum;
      case Q4_K -> new SuperBlockEncoder()::q4;
      case Q5_K -> new SuperBlockEncoder()::q5;
      case Q6_K -> new SuperBlockEncoder()::q6;
      default -> throw new IllegalArgumentException(type + " is not written in blocks");
    };
  }

  /** The nearest number, ties to even; of a finite one. */
  private static short toBfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    return (short) (bits + 0x7FFF + (bits >>> 16 & 1) >>> 16);
  }

  /** Stores a binary16 and returns its value. */
  static float putHalf(MemorySegment target, long to, float value) {
    short half = Float.floatToFloat16(value);
    target.set(SHORT, to, half);
    return Float.float16ToFloat(half);
  }
}
