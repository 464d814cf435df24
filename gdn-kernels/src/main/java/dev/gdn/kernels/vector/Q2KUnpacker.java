package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.WIDE_BYTES;
import static dev.gdn.kernels.vector.StoredRows.half;
import static dev.gdn.kernels.vector.StoredRows.unsigned;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;

/** GGUF Q2_K. */
record Q2KUnpacker() implements RowUnpacker {
  @Override
  public void unpack(MemorySegment data, long from, int count, UnpackedRow row) {
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

  private static void scales(MemorySegment data, long from, UnpackedRow row, int at) {
    float scale = half(data, from + 80);
    float minimum = half(data, from + 82);
    for (int group = 0; group < 16; group++) {
      int both = unsigned(data, from + group);
      row.scales()[at + group] = scale * (both & 0xF);
      row.offsets()[at + group] = -(minimum * (both >> 4));
    }
  }
}
