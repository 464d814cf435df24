package dev.gdn.model.tokenizer;

/** What the JDK's UTF-8 decoder and the reference's read differently. */
final class Utf8 {
  private Utf8() {}

  /**
   * Makes the encoding of a surrogate (ED A0…BF 80…BF), which UTF-8 forbids, three bad bytes. The
   * JDK replaces the three by one U+FFFD; the reference, as the Unicode standard recommends, by
   * three.
   */
  static void spoilSurrogates(byte[] bytes, int length) {
    for (int i = 0; i + 1 < length; i++) {
      if (bytes[i] == (byte) 0xed && (bytes[i + 1] & 0xe0) == 0xa0) {
        bytes[i] = (byte) 0xff;
      }
    }
  }
}
