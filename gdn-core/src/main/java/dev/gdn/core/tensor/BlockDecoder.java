package dev.gdn.core.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/** Turns stored blocks into float32, one plain loop for each type. */
final class BlockDecoder {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private BlockDecoder() {}

  /** Decodes {@code count} elements from byte {@code from} of {@code data}. */
  static void decode(
      DataType type, MemorySegment data, long from, float[] target, int offset, int count) {
    Objects.checkFromIndexSize(offset, count, target.length);
    switch (type) {
      case F32 -> MemorySegment.copy(data, FLOAT, from, target, offset, count);
      case F16 -> {
        for (int i = 0; i < count; i++) {
          target[offset + i] = Float.float16ToFloat(data.get(SHORT, from + 2L * i));
        }
      }
      case BF16 -> {
        for (int i = 0; i < count; i++) {
          target[offset + i] = Float.intBitsToFloat(data.get(SHORT, from + 2L * i) << 16);
        }
      }
      case Q8_0 -> {
        for (int i = 0; i < count; i += 32, from += 34) {
          float scale = Float.float16ToFloat(data.get(SHORT, from));
          for (int j = 0; j < 32; j++) {
            target[offset + i + j] = scale * data.get(ValueLayout.JAVA_BYTE, from + 2 + j);
          }
        }
      }
      case Q4_0 -> {
        for (int i = 0; i < count; i += 32, from += 18) {
          float scale = Float.float16ToFloat(data.get(SHORT, from));
          for (int j = 0; j < 16; j++) {
            int pair = data.get(ValueLayout.JAVA_BYTE, from + 2 + j);
            target[offset + i + j] = scale * ((pair & 0xF) - 8);
            target[offset + i + j + 16] = scale * ((pair >> 4 & 0xF) - 8);
          }
        }
      }
    }
  }
}
