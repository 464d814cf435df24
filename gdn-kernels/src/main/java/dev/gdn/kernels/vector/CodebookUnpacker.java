package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.SIXTEEN_BYTES;
import static dev.gdn.kernels.vector.StoredRows.half;
import static dev.gdn.kernels.vector.StoredRows.unsigned;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;

/**
 * GGUF IQ4_NL and MXFP4: a table of 16 values.
 *
 * @param codebook of the values
 */
record CodebookUnpacker(Codebook codebook) implements RowUnpacker {
  @Override
  public void unpack(MemorySegment data, long from, int count, UnpackedRow row) {
    data.isMapped(); // see StoredRows
    ByteVector table = ByteVector.fromArray(SIXTEEN_BYTES, codebook.table(), 0);
    byte[] quanta = row.quanta();
    boolean power = codebook == Codebook.TINY_FLOATS;
    int header = power ? 1 : 2;
    for (int i = 0; i < count; i += 32, from += header + 16) {
      row.setScale(i / 32, power ? halfPower(unsigned(data, from)) : half(data, from));
      ByteVector pairs = ByteVector.fromMemorySegment(SIXTEEN_BYTES, data, from + header, ORDER);
      ByteVector upper =
          pairs.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 4).reinterpretAsBytes();
      pairs.and((byte) 0xF).selectFrom(table).intoArray(quanta, i);
      upper.and((byte) 0xF).selectFrom(table).intoArray(quanta, i + 16);
    }
  }

  // 2^(exponent - 128): the table has twice what its indices stand for.
  private static float halfPower(int exponent) {
    return Float.intBitsToFloat(exponent < 2 ? 0x200000 << exponent : exponent - 1 << 23);
  }
}
