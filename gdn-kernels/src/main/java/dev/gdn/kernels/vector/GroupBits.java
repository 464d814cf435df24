package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.BYTES;
import static dev.gdn.kernels.vector.GroupLanes.ROWS;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Puts bits that lie apart together, for 32 columns of a group of rows. Shifts are those of 16
 * bits, and what comes in from a neighbour is masked off.
 */
final class GroupBits {
  /** Bytes of 32 columns. */
  static final int COLUMNS = 32 * ROWS;

  private GroupBits() {}

  /** Takes one nibble of each byte, the lower ({@code shift} is 0) or the upper one (4). */
  static void nibbles(byte[] data, int from, int shift, byte[] quanta, int to) {
    for (int i = 0; i < COLUMNS; i += BYTES.length()) {
      ShortVector nibbles = ByteVector.fromArray(BYTES, data, from + i).reinterpretAsShorts();
      nibbles
          .lanewise(VectorOperators.LSHR, shift)
          .and((short) 0x0F0F)
          .reinterpretAsBytes()
          .intoArray(quanta, to + i);
    }
  }

  /**
   * Takes a nibble and the bits above it.
   *
   * @param nibbles where these start
   * @param shift of the nibbles, 0 or 4
   * @param uppers where the upper bits start
   * @param bit the lowest of them in its byte
   * @param mask of the upper bits where they belong, in both bytes of a short
   * @param offset is subtracted
   */
  static void join(
      byte[] data,
      int nibbles,
      int shift,
      int uppers,
      int bit,
      short mask,
      byte offset,
      byte[] quanta,
      int to) {
    for (int i = 0; i < COLUMNS; i += BYTES.length()) {
      ShortVector lower = ByteVector.fromArray(BYTES, data, nibbles + i).reinterpretAsShorts();
      ShortVector upper = ByteVector.fromArray(BYTES, data, uppers + i).reinterpretAsShorts();
      upper = upper.lanewise(VectorOperators.LSHR, bit).lanewise(VectorOperators.LSHL, 4).and(mask);
      lower
          .lanewise(VectorOperators.LSHR, shift)
          .and((short) 0x0F0F)
          .or(upper)
          .reinterpretAsBytes()
          .sub(offset)
          .intoArray(quanta, to + i);
    }
  }
}
