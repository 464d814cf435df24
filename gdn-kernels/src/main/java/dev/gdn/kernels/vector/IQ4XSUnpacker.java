package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.SIXTEEN_BYTES;
import static dev.gdn.kernels.vector.StoredRows.half;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;

/** GGUF IQ4_XS. */
record IQ4XSUnpacker() implements RowUnpacker {
  @Override
  public void unpack(MemorySegment data, long from, int count, UnpackedRow row) {
    ByteVector table = ByteVector.fromArray(SIXTEEN_BYTES, Codebook.NONLINEAR.table(), 0);
    byte[] quanta = row.quanta();
    for (int i = 0; i < count; i += 256, from += 136) {
      scales(data, from, row.scales(), i / 32);
      for (int group = 0; group < 8; group++) {
        ByteVector pairs =
            ByteVector.fromMemorySegment(SIXTEEN_BYTES, data, from + 8 + 16 * group, ORDER);
        ByteVector upper =
            pairs.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 4).reinterpretAsBytes();
        int at = i + 32 * group;
        pairs.and((byte) 0xF).selectFrom(table).intoArray(quanta, at);
        upper.and((byte) 0xF).selectFrom(table).intoArray(quanta, at + 16);
      }
    }
  }

  // Eight nibbles, and eight pairs of bits above them, offset by 32.
  private static void scales(MemorySegment data, long from, float[] scales, int at) {
    float scale = half(data, from);
    int pairs = data.get(StoredRows.SHORT, from + 2);
    int nibbles = data.get(StoredRows.INT, from + 4);
    for (int group = 0; group < 8; group++) {
      int factor = (pairs >> 2 * group & 3) << 4 | nibbles >> 4 * group & 0xF;
      scales[at + group] = scale * (factor - 32);
    }
  }
}
