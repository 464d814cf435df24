package dev.gdn.bench;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.WeightMatrix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/** Weight matrices of random, finite numbers, stored as a checkpoint stores them. */
final class SyntheticWeights {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private SyntheticWeights() {}

  static WeightMatrix matrix(DataType type, int rows, int columns, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long size = rows * type.bytes(columns);
    MemorySegment data = Arena.ofAuto().allocate(size, 64);
    byte[] bytes = new byte[type.blockBytes()];
    for (long at = 0; at < size; at += bytes.length) {
      random.nextBytes(bytes);
      MemorySegment.copy(bytes, 0, data, ValueLayout.JAVA_BYTE, at, bytes.length);
      float value = random.nextInt(-1000, 1000) / 16384f;
      switch (type) {
        case F32 -> data.set(FLOAT, at, value);
        case BF16 -> data.set(SHORT, at, (short) (Float.floatToRawIntBits(value) >>> 16));
        // Blocks start with their scale.
        case F16, Q8_0, Q4_0 -> data.set(SHORT, at, Float.floatToFloat16(value));
      }
    }
    return new WeightMatrix(type + " " + seed, type, rows, columns, data.asReadOnly());
  }
}
