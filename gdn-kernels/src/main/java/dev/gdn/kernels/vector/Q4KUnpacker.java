package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.WIDE_BYTES;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;

/** GGUF Q4_K. */
record Q4KUnpacker() implements RowUnpacker {
  @Override
  public void unpack(MemorySegment data, long from, int count, UnpackedRow row) {
    data.isMapped(); // see StoredRows
    byte[] quanta = row.quanta();
    for (int i = 0; i < count; i += 256, from += 144) {
      SixBitScales.unpack(data, from, row, i / 32);
      for (int j = 0; j < 128; j += WIDE_BYTES.length()) {
        // Of each byte, the elements are 32 apart.
        ByteVector pairs = ByteVector.fromMemorySegment(WIDE_BYTES, data, from + 16 + j, ORDER);
        ByteVector upper =
            pairs.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 4).reinterpretAsBytes();
        int at = i + j / 32 * 64 + j % 32;
        pairs.and((byte) 0xF).intoArray(quanta, at);
        upper.and((byte) 0xF).intoArray(quanta, at + 32);
      }
    }
  }
}
