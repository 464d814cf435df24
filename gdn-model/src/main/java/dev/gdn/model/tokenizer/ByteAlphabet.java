package dev.gdn.model.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The alphabet in which vocabularies spell bytes, from GPT-2's {@code bytes_to_unicode}: a byte
 * that is a printable Latin-1 character is that character; the others are U+0100, U+0101 and so on
 * in order.
 */
final class ByteAlphabet {
  private static final char[] CHARACTERS = new char[256];
  private static final int[] BYTES = new int[512];

  static {
    Arrays.fill(BYTES, -1);
    char next = 256;
    for (int value = 0; value < 256; value++) {
      boolean printable =
          (value >= '!' && value <= '~') || (value >= 0xa1 && value <= 0xff && value != 0xad);
      char character = printable ? (char) value : next++;
      CHARACTERS[value] = character;
      BYTES[character] = value;
    }
  }

  private ByteAlphabet() {}

  /** How bytes are spelt. */
  static String spell(byte[] bytes) {
    char[] characters = new char[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      characters[i] = CHARACTERS[bytes[i] & 0xff];
    }
    return new String(characters);
  }

  /** The bytes of a token; of one that is not spelt in the alphabet, its text as UTF-8. */
  static byte[] bytes(String token) {
    byte[] bytes = new byte[token.length()];
    for (int i = 0; i < bytes.length; i++) {
      char character = token.charAt(i);
      if (character >= BYTES.length || BYTES[character] < 0) {
        return token.getBytes(StandardCharsets.UTF_8);
      }
      bytes[i] = (byte) BYTES[character];
    }
    return bytes;
  }
}
