package dev.gdn.kernels.vector;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.WeightMatrix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/** Weight matrices of random contents, stored as a checkpoint stores them. */
final class RandomWeights {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private RandomWeights() {}

  static WeightMatrix matrix(DataType type, int rows, int columns, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long size = rows * type.bytes(columns);
    MemorySegment data = Arena.ofAuto().allocate(size, 64);
    for (long at = 0; at < size; at += type.blockBytes()) {
      block(type, data, at, random);
    }
    return new WeightMatrix(type + " weights", type, rows, columns, data.asReadOnly());
  }

  private static void block(DataType type, MemorySegment data, long at, SplittableRandom random) {
    float value = (float) random.nextGaussian();
    switch (type) {
      case F32 -> data.set(FLOAT, at, value);
      case F16 -> data.set(SHORT, at, Float.floatToFloat16(value));
      case BF16 -> data.set(SHORT, at, (short) (Float.floatToRawIntBits(value) >>> 16));
      case Q8_0, Q4_0 -> {
        data.set(SHORT, at, Float.floatToFloat16(value / type.blockBytes()));
        for (int i = 2; i < type.blockBytes(); i++) {
          data.set(ValueLayout.JAVA_BYTE, at + i, (byte) random.nextInt());
        }
      }
    }
  }
}
