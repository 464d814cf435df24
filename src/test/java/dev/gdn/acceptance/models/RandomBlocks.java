package dev.gdn.acceptance.models;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.random.RandomGenerator;

/**
 * Stored weights of random bits, whose numbers have a mean of about 0 and a given size. Types that
 * this library does not write become test files in this way.
 */
final class RandomBlocks {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Elements that the size of numbers is estimated from. */
  private static final int SAMPLE = 1 << 14;

  private RandomBlocks() {}

  /**
   * Blocks of as many elements.
   *
   * @param size root of the mean square of the numbers, about; each block has a scale of its own
   */
  static MemorySegment of(RandomGenerator random, DataType type, long elements, double size) {
    double scale = size / rootMeanSquare(withScales(random, type, SAMPLE, 1, 0));
    return withScales(random, type, elements, scale, 0.5).data();
  }

  /** The root of the mean square of all elements. */
  static double rootMeanSquare(StoredTensor tensor) {
    double sum = 0;
    float[] values = tensor.toFloats();
    for (float value : values) {
      sum += (double) value * value;
    }
    return Math.sqrt(sum / values.length);
  }

  private static StoredTensor withScales(
      RandomGenerator random, DataType type, long elements, double scale, double spread) {
    byte[] bytes = new byte[Math.toIntExact(type.bytes(elements))];
    random.nextBytes(bytes);
    MemorySegment data = MemorySegment.ofArray(bytes);
    for (long block = 0; block < bytes.length; block += type.blockBytes()) {
      setScale(type, data, block, scale * (1 + spread * random.nextDouble(-1, 1)));
    }
    return new StoredTensor("random", type, new Shape(elements), data);
  }

  // Where there are minima, they are what the scales' numbers are on average.
  private static void setScale(DataType type, MemorySegment data, long block, double scale) {
    switch (type) {
      case Q8_0, Q4_0, Q5_0, IQ4_NL, IQ4_XS -> half(data, block, scale);
      case Q4_1 -> halves(data, block, scale, -7.5 * scale);
      case Q5_1 -> halves(data, block, scale, -15.5 * scale);
      case Q2_K -> halves(data, block + 80, scale, 1.5 * scale);
      case Q3_K -> half(data, block + 108, scale);
      case Q4_K -> halves(data, block, scale, 7.5 * scale);
      case Q5_K -> halves(data, block, scale, 15.5 * scale);
      case Q6_K -> half(data, block + 208, scale);
      case MXFP4 -> data.set(ValueLayout.JAVA_BYTE, block, (byte) (127 + Math.getExponent(scale)));
      default -> throw new IllegalArgumentException(type + " has no blocks");
    }
  }

  private static void halves(MemorySegment data, long at, double scale, double minimum) {
    half(data, at, scale);
    half(data, at + 2, minimum);
  }

  private static void half(MemorySegment data, long at, double value) {
    data.set(SHORT, at, Float.floatToFloat16((float) value));
  }
}
