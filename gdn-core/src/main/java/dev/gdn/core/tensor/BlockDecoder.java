package dev.gdn.core.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Turns stored blocks into float32, one plain loop for each type: the reference that faster kernels
 * are held against. The values are those of GGML's {@code dequantize_row_*}
 * (https://github.com/ggml-org/ggml), bit for bit.
 */
final class BlockDecoder {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Decodes one block. */
  @FunctionalInterface
  private interface Block {
    /** Decodes the block at byte {@code from}; all of it and of its values are in range. */
    void decode(MemorySegment data, long from, float[] target, int offset);
  }

  private BlockDecoder() {}

  /**
   * Decodes {@code count} elements from byte {@code from} of {@code data}.
   *
   * @param count a whole number of the type's blocks
   */
  static void decode(
      DataType type, MemorySegment data, long from, float[] target, int offset, int count) {
    Objects.checkFromIndexSize(offset, count, target.length);
    Objects.checkFromIndexSize(from, type.bytes(count), data.byteSize());
    switch (type) {
      case F32 -> MemorySegment.copy(data, FLOAT, from, target, offset, count);
      case F16 -> {
        for (int i = 0; i < count; i++) {
          target[offset + i] = half(data, from + 2L * i);
        }
      }
      case BF16 -> {
        for (int i = 0; i < count; i++) {
          target[offset + i] = Float.intBitsToFloat(data.get(SHORT, from + 2L * i) << 16);
        }
      }
      default -> {
        Block block = block(type);
        for (int i = 0; i < count; i += type.blockElements(), from += type.blockBytes()) {
          block.decode(data, from, target, offset + i);
        }
      }
    }
  }

  private static Block block(DataType type) {
    return switch (type) {
      case F32, F16, BF16 -> throw new IllegalArgumentException(type + " has no blocks");
      case Q8_0 -> SmallBlocks::q8;
      case Q4_0 -> SmallBlocks::q4;
      case Q4_1 -> SmallBlocks::q4WithMinimum;
      case Q5_0 -> SmallBlocks::q5;
      case Q5_1 -> SmallBlocks::q5WithMinimum;
      case Q2_K -> SuperBlocks::q2;
      case Q3_K -> SuperBlocks::q3;
      case Q4_K -> SuperBlocks::q4;
      case Q5_K -> SuperBlocks::q5;
      case Q6_K -> SuperBlocks::q6;
      case IQ4_NL -> CodebookBlocks::nonlinear;
      case IQ4_XS -> CodebookBlocks::nonlinearGroups;
      case MXFP4 -> CodebookBlocks::microscaling;
      case F8_E4M3 -> SmallBlocks::scaledFloat8;
    };
  }

  /** The unsigned byte at {@code from}. */
  static int unsigned(MemorySegment data, long from) {
    return data.get(ValueLayout.JAVA_BYTE, from) & 0xFF;
  }

  /** The unsigned 16-bit integer at byte {@code from}. */
  static int unsignedShort(MemorySegment data, long from) {
    return data.get(SHORT, from) & 0xFFFF;
  }

  /** The binary16 at byte {@code from}. */
  static float half(MemorySegment data, long from) {
    return Float.float16ToFloat(data.get(SHORT, from));
  }
}
