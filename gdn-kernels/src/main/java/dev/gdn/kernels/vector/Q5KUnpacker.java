package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.WIDE_BYTES;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;

/** GGUF Q5_K. */
record Q5KUnpacker() implements RowUnpacker {
  @Override
  public void unpack(MemorySegment data, long from, int count, UnpackedRow row) {
    data.isMapped(); // see StoredRows
    byte[] quanta = row.quanta();
    for (int i = 0; i < count; i += 256, from += 176) {
      SixBitScales.unpack(data, from, row, i / 32);
      for (int j = 0; j < 32; j += WIDE_BYTES.length()) {
        ByteVector fifths = ByteVector.fromMemorySegment(WIDE_BYTES, data, from + 16 + j, ORDER);
        for (int k = 0; k < 4; k++) {
          // Of each byte of nibbles, the elements are 32 apart; so are those of the fifth bits.
          long stored = from + 48 + 32 * k + j;
          ByteVector pairs = ByteVector.fromMemorySegment(WIDE_BYTES, data, stored, ORDER);
          ByteVector upper =
              pairs.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 4).reinterpretAsBytes();
          ByteVector first =
              fifths.reinterpretAsShorts().lanewise(VectorOperators.LSHL, 4).reinterpretAsBytes();
          ByteVector second =
              fifths.reinterpretAsShorts().lanewise(VectorOperators.LSHL, 3).reinterpretAsBytes();
          int at = i + 64 * k + j;
          pairs.and((byte) 0xF).or(first.and((byte) 0x10)).intoArray(quanta, at);
          upper.and((byte) 0xF).or(second.and((byte) 0x10)).intoArray(quanta, at + 32);
          fifths =
              fifths.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 2).reinterpretAsBytes();
        }
      }
    }
  }
}
