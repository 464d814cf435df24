package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.SIXTEEN_BYTES;
import static dev.gdn.kernels.vector.StoredRows.half;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;

/**
 * GGUF Q4_0 and Q4_1.
 *
 * @param minimum whether blocks have one (Q4_1); otherwise elements are offset by 8
 */
record Q4Unpacker(boolean minimum) implements RowUnpacker {
  @Override
  public void unpack(MemorySegment data, long from, int count, UnpackedRow row) {
    data.isMapped(); // see StoredRows
    byte[] quanta = row.quanta();
    byte middle = (byte) (minimum ? 0 : 8);
    int header = minimum ? 4 : 2;
    for (int i = 0; i < count; i += 32, from += header + 16) {
      row.setScale(i / 32, half(data, from));
      if (minimum) {
        row.setOffset(i / 32, half(data, from + 2));
      }
      ByteVector pairs = ByteVector.fromMemorySegment(SIXTEEN_BYTES, data, from + header, ORDER);
      ByteVector upper =
          pairs.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 4).reinterpretAsBytes();
      pairs.and((byte) 0xF).sub(middle).intoArray(quanta, i);
      upper.and((byte) 0xF).sub(middle).intoArray(quanta, i + 16);
    }
  }
}
