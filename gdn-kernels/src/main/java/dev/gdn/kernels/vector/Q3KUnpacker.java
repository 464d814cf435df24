package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.WIDE_BYTES;
import static dev.gdn.kernels.vector.StoredRows.half;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;

/** GGUF Q3_K. */
record Q3KUnpacker() implements RowUnpacker {
  private static final long NIBBLES = 0x0F0F0F0F0F0F0F0FL;
  private static final long PAIRS = 0x03030303L;

  @Override
  public void unpack(MemorySegment data, long from, int count, UnpackedRow row) {
    data.isMapped(); // see StoredRows
    byte[] quanta = row.quanta();
    for (int i = 0; i < count; i += 256, from += 110) {
      scales(data, from, row, i / 16);
      for (int j = 0; j < 32; j += WIDE_BYTES.length()) {
        ByteVector thirds = ByteVector.fromMemorySegment(WIDE_BYTES, data, from + j, ORDER);
        for (int h = 0; h < 2; h++) {
          // The elements of a byte are 32 apart.
          ByteVector pairs =
              ByteVector.fromMemorySegment(WIDE_BYTES, data, from + 32 + 32 * h + j, ORDER);
          int at = i + 128 * h + j;
          for (int k = 0; k < 4; k++) {
            ByteVector third =
                thirds
                    .and((byte) 1)
                    .reinterpretAsShorts()
                    .lanewise(VectorOperators.LSHL, 2)
                    .reinterpretAsBytes();
            pairs.and((byte) 3).or(third).sub((byte) 4).intoArray(quanta, at + 32 * k);
            pairs =
                pairs.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 2).reinterpretAsBytes();
            thirds =
                thirds.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 1).reinterpretAsBytes();
          }
        }
      }
    }
  }

  // Eight bytes of nibbles, and four bytes of pairs of bits above them, offset by 32.
  private static void scales(MemorySegment data, long from, UnpackedRow row, int at) {
    float scale = half(data, from + 108);
    long nibbles = data.get(StoredRows.LONG, from + 96);
    int pairs = data.get(StoredRows.INT, from + 104);
    row.setScales(at, signed(nibbles, pairs), scale);
    row.setScales(at + 8, signed(nibbles >>> 4, pairs >>> 4), scale);
  }

  private static long signed(long nibbles, int pairs) {
    long upper = pairs & PAIRS | (pairs >>> 2 & PAIRS) << 32;
    return SixBitScales.lessThirtyTwo(nibbles & NIBBLES | upper << 4);
  }
}
