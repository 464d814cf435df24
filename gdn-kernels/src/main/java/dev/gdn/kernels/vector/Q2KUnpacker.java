package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.WIDE_BYTES;
import static dev.gdn.kernels.vector.StoredRows.half;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;

/** GGUF Q2_K. */
record Q2KUnpacker() implements RowUnpacker {
  private static final long NIBBLES = 0x0F0F0F0F0F0F0F0FL;

  @Override
  public void unpack(MemorySegment data, long from, int count, UnpackedRow row) {
    data.isMapped(); // see StoredRows
    byte[] quanta = row.quanta();
    for (int i = 0; i < count; i += 256, from += 84) {
      scales(data, from, row, i / 16);
      for (int j = 0; j < 64; j += WIDE_BYTES.length()) {
        // Of each byte, the elements are 32 apart.
        ByteVector fours = ByteVector.fromMemorySegment(WIDE_BYTES, data, from + 16 + j, ORDER);
        int at = i + j / 32 * 128 + j % 32;
        for (int k = 0; k < 4; k++) {
          fours.and((byte) 3).intoArray(quanta, at + 32 * k);
          fours =
              fours.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 2).reinterpretAsBytes();
        }
      }
    }
  }

  // Nibbles: scales below, minima above.
  private static void scales(MemorySegment data, long from, UnpackedRow row, int at) {
    float scale = half(data, from + 80);
    float minimum = half(data, from + 82);
    for (int group = 0; group < 16; group += 8) {
      long both = data.get(StoredRows.LONG, from + group);
      row.setScales(at + group, both & NIBBLES, scale);
      row.setOffsets(at + group, both >>> 4 & NIBBLES, -minimum);
    }
  }
}
