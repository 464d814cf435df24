package dev.gdn.core.tensor;

/**
 * The eight-bit floating-point format E4M3 in its finite variant ({@code float8_e4m3fn}): a sign,
 * four bits of exponent with bias 7, three of mantissa; no infinities, and NaN where all bits but
 * the sign are set. Its largest number is 448, its smallest over zero 2⁻⁹.
 *
 * <p>Source: Micikevicius et al., FP8 Formats for Deep Learning, https://arxiv.org/abs/2209.05433.
 */
public final class Float8 {
  /** The largest number. */
  public static final float MAXIMUM = 448;

  private static final int MANTISSA_BITS = 3;
  private static final int BIAS = 7;
  private static final float[] VALUES = new float[256];

  static {
    for (int code = 0; code < VALUES.length; code++) {
      VALUES[code] = value(code);
    }
  }

  private Float8() {}

  /** The number that eight bits stand for, exactly. */
  public static float toFloat(byte code) {
    return VALUES[code & 0xFF];
  }

  private static float value(int code) {
    int exponent = code >> MANTISSA_BITS & 0xF;
    int mantissa = code & 7;
    float size;
    if ((code & 0x7F) == 0x7F) {
      size = Float.NaN;
    } else if (exponent == 0) {
      size = Math.scalb((float) mantissa, 1 - BIAS - MANTISSA_BITS);
    } else {
      size = Math.scalb((float) (8 + mantissa), exponent - BIAS - MANTISSA_BITS);
    }
    return code < 128 ? size : -size;
  }
}
