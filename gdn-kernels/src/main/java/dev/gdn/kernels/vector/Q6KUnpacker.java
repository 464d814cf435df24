package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.WIDE_BYTES;
import static dev.gdn.kernels.vector.StoredRows.half;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;

/** GGUF Q6_K. */
record Q6KUnpacker() implements RowUnpacker {
  @Override
  public void unpack(MemorySegment data, long from, int count, UnpackedRow row) {
    data.isMapped(); // see StoredRows
    byte[] quanta = row.quanta();
    for (int i = 0; i < count; i += 256, from += 210) {
      scales(data, from, row, i / 16);
      for (int j = 0; j < 64; j += WIDE_BYTES.length()) {
        // Of each byte of pairs of bits, the elements are 32 apart, of nibbles, 64.
        long nibbles = from + j / 32 * 64 + j % 32;
        ByteVector a = ByteVector.fromMemorySegment(WIDE_BYTES, data, nibbles, ORDER);
        ByteVector b = ByteVector.fromMemorySegment(WIDE_BYTES, data, nibbles + 32, ORDER);
        ByteVector fours = ByteVector.fromMemorySegment(WIDE_BYTES, data, from + 128 + j, ORDER);
        int at = i + j / 32 * 128 + j % 32;
        for (int k = 0; k < 2; k++) {
          ByteVector first =
              fours.reinterpretAsShorts().lanewise(VectorOperators.LSHL, 4).reinterpretAsBytes();
          ByteVector second =
              fours.reinterpretAsShorts().lanewise(VectorOperators.LSHL, 2).reinterpretAsBytes();
          a.and((byte) 0xF)
              .or(first.and((byte) 0x30))
              .sub((byte) 32)
              .intoArray(quanta, at + 64 * k);
          b.and((byte) 0xF)
              .or(second.and((byte) 0x30))
              .sub((byte) 32)
              .intoArray(quanta, at + 64 * k + 32);
          a = a.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 4).reinterpretAsBytes();
          b = b.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 4).reinterpretAsBytes();
          fours =
              fours.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 4).reinterpretAsBytes();
        }
      }
    }
  }

  private static void scales(MemorySegment data, long from, UnpackedRow row, int at) {
    float scale = half(data, from + 208);
    row.setScales(at, data.get(StoredRows.LONG, from + 192), scale);
    row.setScales(at + 8, data.get(StoredRows.LONG, from + 200), scale);
  }
}
