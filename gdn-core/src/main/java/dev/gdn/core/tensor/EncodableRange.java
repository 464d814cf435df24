package dev.gdn.core.tensor;

/**
 * Which numbers a stored type takes: finite ones below a magnitude at which the type itself, or the
 * scales of its blocks in binary16, would round to an infinity. Beyond that, rounding would make a
 * plausible number of one that is none.
 */
final class EncodableRange {
  private static final int WITHOUT_SIGN = 0x7FFFFFFF;

  /** The least number that binary16 rounds to its infinity. */
  private static final float HALF = 65520;

  private EncodableRange() {}

  /**
   * Checks some numbers.
   *
   * @throws UnencodableException for the first that a type does not take
   */
  static void check(DataType type, float[] x, int offset, int count) {
    // Of the bits, which order magnitudes as integers do, with infinity and NaN above all others.
    int largest = 0;
    for (int i = offset; i < offset + count; i++) {
      largest = Math.max(largest, Float.floatToRawIntBits(x[i]) & WITHOUT_SIGN);
    }
    float bound = bound(type);
    if (largest >= Float.floatToRawIntBits(bound)) {
      throw firstOutside(type, bound, x, offset);
    }
  }

  private static UnencodableException firstOutside(
      DataType type, float bound, float[] x, int offset) {
    int i = offset;
    while (Math.abs(x[i]) < bound) {
      i++;
    }
    return new UnencodableException(type, i - offset, x[i], bound);
  }

  /** What every magnitude is below. */
  private static float bound(DataType type) {
    return switch (type) {
      case F32 -> Float.POSITIVE_INFINITY;
      case BF16 -> 0x1.FFp127f;
      // The minimum of a block is stored as it is.
      case F16, Q4_1, Q5_1 -> HALF;
      // The scale is the largest magnitude divided by the largest integer.
      case Q8_0 -> HALF * 127;
      case Q4_0 -> HALF * 8;
      case Q5_0 -> HALF * 16;
      // Scales of scales; half of what they take, for those that fit best may be larger.
      case Q4_K, Q5_K -> HALF * 63 / 2;
      case Q6_K -> HALF * 128 * 32 / 2;
      case Q2_K, Q3_K, IQ4_NL, IQ4_XS, MXFP4, F8_E4M3 ->
          throw new IllegalArgumentException(type + " can be read but not written");
    };
  }
}
