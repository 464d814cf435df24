package dev.gdn.core.tensor;

/**
 * How a checkpoint stores weights. A type is a sequence of blocks: {@link #blockElements()}
 * consecutive elements of one row in {@link #blockBytes()} bytes, little-endian.
 */
public enum DataType {
  /** IEEE 754 binary32. */
  F32(1, 4),
  /** IEEE 754 binary16. */
  F16(1, 2),
  /** The upper half of a binary32. */
  BF16(1, 2),
  /** GGUF: a binary16 scale, then 32 signed bytes. */
  Q8_0(32, 34),
  /** GGUF: a binary16 scale, then 32 four-bit values, low nibbles first, offset by 8. */
  Q4_0(32, 18),
  /** GGUF: binary16 scale and minimum, then 32 four-bit values, low nibbles first. */
  Q4_1(32, 20),
  /** GGUF: a binary16 scale, 32 fifth bits, then 32 nibbles, low first; offset by 16. */
  Q5_0(32, 22),
  /** GGUF: binary16 scale and minimum, 32 fifth bits, then 32 nibbles, low first. */
  Q5_1(32, 24),
  /** GGUF: 2 bits; 16 groups of 16 with four-bit scales and minima over two binary16 ones. */
  Q2_K(256, 84),
  /** GGUF: 3 bits; 16 groups of 16 with six-bit signed scales over a binary16 one. */
  Q3_K(256, 110),
  /** GGUF: 4 bits; 8 groups of 32 with six-bit scales and minima over two binary16 ones. */
  Q4_K(256, 144),
  /** GGUF: 5 bits; 8 groups of 32 with six-bit scales and minima over two binary16 ones. */
  Q5_K(256, 176),
  /** GGUF: 6 bits, offset by 32; 16 groups of 16 with signed bytes as scales over a binary16. */
  Q6_K(256, 210),
  /** GGUF: a binary16 scale, then 32 four-bit indices of unevenly spaced values. */
  IQ4_NL(32, 18),
  /** GGUF: as {@link #IQ4_NL}; 8 groups of 32 with six-bit signed scales over a binary16 one. */
  IQ4_XS(256, 136),
  /** OCP microscaling: a power of two, then 32 numbers of one sign, two exponent, one mantissa. */
  MXFP4(32, 17),
  /**
   * Not of GGUF: a binary32 scale, then 32 numbers in E4M3 ({@link Float8}). What matrices in FP8
   * with a scale for each square of them become, without a change to any number.
   */
  F8_E4M3(32, 36);

  private final int blockElements;
  private final int blockBytes;

  DataType(int blockElements, int blockBytes) {
    this.blockElements = blockElements;
    this.blockBytes = blockBytes;
  }

  /** Elements in one block; a row's length must be a multiple of it. */
  public int blockElements() {
    return blockElements;
  }

  /** Bytes of one block. */
  public int blockBytes() {
    return blockBytes;
  }

  /**
   * Bytes that {@code elements} consecutive elements take.
   *
   * @throws IllegalArgumentException if they are no whole number of blocks
   * @throws ArithmeticException if the size does not fit a {@code long}
   */
  public long bytes(long elements) {
    if (elements < 0 || elements % blockElements != 0) {
      throw new IllegalArgumentException(
          this + " stores blocks of " + blockElements + " elements, got " + elements);
    }
    return Math.multiplyExact(elements / blockElements, (long) blockBytes);
  }
}
