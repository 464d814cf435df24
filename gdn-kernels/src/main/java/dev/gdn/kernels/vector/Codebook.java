package dev.gdn.kernels.vector;

/** Values that four-bit indices stand for. */
enum Codebook {
  /** Of GGUF's IQ4_NL and IQ4_XS. */
  NONLINEAR(-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113),
  /** Of MXFP4, times two: a sign, two bits of exponent, one of mantissa. */
  TINY_FLOATS(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12);

  private final byte[] table = new byte[16];

  Codebook(int... values) {
    for (int i = 0; i < values.length; i++) {
      table[i] = (byte) values[i];
    }
  }

  /** Not to be changed. */
  byte[] table() {
    return table;
  }
}
