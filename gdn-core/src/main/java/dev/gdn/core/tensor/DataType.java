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
  Q4_0(32, 18);

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
