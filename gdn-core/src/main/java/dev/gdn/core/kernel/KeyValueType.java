package dev.gdn.core.kernel;

/** How a KV cache holds its numbers. */
public enum KeyValueType {
  /** Binary32, as they were computed. */
  F32(Float.BYTES),

  /**
   * Binary16: half the memory, and half of what a token has to read in a long context. Each number
   * is rounded to 11 significant bits; beyond ±65504, the largest finite one, it becomes that.
   */
  F16(Short.BYTES);

  private final int bytes;

  KeyValueType(int bytes) {
    this.bytes = bytes;
  }

  /** Bytes of one number. */
  public int bytes() {
    return bytes;
  }

  CachePage page(int length) {
    return switch (this) {
      case F32 -> new CachePage.Floats(new float[length]);
      case F16 -> new CachePage.Halves(new short[length]);
    };
  }
}
