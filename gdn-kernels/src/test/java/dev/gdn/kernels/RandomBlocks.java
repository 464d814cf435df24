package dev.gdn.kernels;

import dev.gdn.core.tensor.DataType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.random.RandomGenerator;

/**
 * Stored weights of random bits, with scales that are finite and now and then zero or subnormal.
 */
public final class RandomBlocks {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final float[] TINY = {0, -0f, 0x1p-24f, -0x1p-20f};

  private RandomBlocks() {}

  /** So many elements, at an odd address. */
  public static MemorySegment of(RandomGenerator random, DataType type, long elements) {
    long size = type.bytes(elements);
    MemorySegment data = ofAnyBits(random, size);
    for (long at = 0; at < size; at += type.blockBytes()) {
      scales(random, type, data, at);
    }
    return data;
  }

  /** Any bytes, at an odd address. */
  public static MemorySegment ofAnyBits(RandomGenerator random, long size) {
    MemorySegment data = Arena.ofAuto().allocate(size + 1, 64).asSlice(1);
    byte[] bytes = new byte[Math.toIntExact(size)];
    random.nextBytes(bytes);
    data.copyFrom(MemorySegment.ofArray(bytes));
    return data;
  }

  private static void scales(
      RandomGenerator random, DataType type, MemorySegment data, long block) {
    switch (type) {
      case F32 -> data.set(FLOAT, block, (float) random.nextGaussian());
      case F16 -> half(random, data, block, 1);
      case BF16 -> {
        int bits = Float.floatToRawIntBits((float) random.nextGaussian());
        data.set(SHORT, block, (short) (bits >>> 16));
      }
      case Q8_0, IQ4_NL -> half(random, data, block, 64);
      case Q4_0, Q5_0 -> half(random, data, block, 8);
      case Q4_1, Q5_1 -> {
        half(random, data, block, 8);
        half(random, data, block + 2, 1);
      }
      case Q2_K -> {
        half(random, data, block + 80, 32);
        half(random, data, block + 82, 16);
      }
      case Q3_K -> half(random, data, block + 108, 64);
      case Q4_K, Q5_K -> {
        half(random, data, block, 512);
        half(random, data, block + 2, 64);
      }
      case Q6_K -> half(random, data, block + 208, 2048);
      case IQ4_XS -> half(random, data, block, 2048);
      case F8_E4M3 -> {
        data.set(FLOAT, block, (float) random.nextGaussian() / 64);
        for (long at = block + 4; at < block + type.blockBytes(); at++) {
          if ((data.get(ValueLayout.JAVA_BYTE, at) & 0x7F) == 0x7F) {
            data.set(ValueLayout.JAVA_BYTE, at, (byte) 0); // Else no number.
          }
        }
      }
      case MXFP4 -> data.set(ValueLayout.JAVA_BYTE, block, (byte) random.nextInt(140));
    }
  }

  private static void half(RandomGenerator random, MemorySegment data, long at, float divisor) {
    int tiny = random.nextInt(8 * TINY.length);
    float value = tiny < TINY.length ? TINY[tiny] : (float) random.nextGaussian() / divisor;
    data.set(SHORT, at, Float.floatToFloat16(value));
  }
}
