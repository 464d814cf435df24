package dev.gdn.kernels;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.WeightMatrix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/** A random weight matrix as stored, at an odd address, with its values. */
record Weights(WeightMatrix matrix, double[] values) {
  static Weights random(Random random, DataType type, int rows, int columns) {
    double[] values = new double[rows * columns];
    ByteBuffer bytes =
        ByteBuffer.allocate((int) type.bytes((long) rows * columns)).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < values.length; i += type.blockElements()) {
      block(random, type, bytes, values, i);
    }
    MemorySegment stored = Arena.ofAuto().allocate(bytes.capacity() + 1L, 64).asSlice(1);
    stored.copyFrom(MemorySegment.ofArray(bytes.array()));
    return new Weights(new WeightMatrix("test", type, rows, columns, stored), values);
  }

  private static void block(
      Random random, DataType type, ByteBuffer bytes, double[] values, int at) {
    float value = (float) random.nextGaussian();
    switch (type) {
      case F32 -> {
        bytes.putFloat(value);
        values[at] = value;
      }
      case F16 -> {
        short half = Float.floatToFloat16(value);
        bytes.putShort(half);
        values[at] = Float.float16ToFloat(half);
      }
      case BF16 -> {
        int upper = Float.floatToRawIntBits(value) >>> 16;
        bytes.putShort((short) upper);
        values[at] = Float.intBitsToFloat(upper << 16);
      }
      case Q8_0 -> {
        short scale = Float.floatToFloat16(value / 64);
        bytes.putShort(scale);
        for (int j = 0; j < 32; j++) {
          int quantum = random.nextInt(256) - 128;
          bytes.put((byte) quantum);
          values[at + j] = (double) Float.float16ToFloat(scale) * quantum;
        }
      }
      case Q4_0 -> {
        short scale = Float.floatToFloat16(value / 4);
        bytes.putShort(scale);
        for (int j = 0; j < 16; j++) {
          int low = random.nextInt(16);
          int high = random.nextInt(16);
          bytes.put((byte) (high << 4 | low));
          values[at + j] = (double) Float.float16ToFloat(scale) * (low - 8);
          values[at + j + 16] = (double) Float.float16ToFloat(scale) * (high - 8);
        }
      }
    }
  }
}
