package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.SIXTEEN_BYTES;
import static dev.gdn.kernels.vector.StoredRows.half;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/**
 * GGUF Q5_0 and Q5_1.
 *
 * @param minimum whether blocks have one (Q5_1); otherwise elements are offset by 16
 */
record Q5Unpacker(boolean minimum) implements RowUnpacker {
  /** Which byte of 16 bits an element's fifth bit is in. */
  private static final byte[] BYTE = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};

  /** And where in this byte. */
  private static final byte[] BIT = {1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128};

  // The fifth bits could be a mask at once (VectorMask.fromLong), but that takes minutes where this
  // takes seconds, until C2 has compiled it.
  @Override
  public void unpack(MemorySegment data, long from, int count, UnpackedRow row) {
    data.isMapped(); // see StoredRows
    byte[] quanta = row.quanta();
    byte middle = (byte) (minimum ? 0 : 16);
    int header = minimum ? 4 : 2;
    ByteVector ofByte = ByteVector.fromArray(SIXTEEN_BYTES, BYTE, 0);
    ByteVector bit = ByteVector.fromArray(SIXTEEN_BYTES, BIT, 0);
    for (int i = 0; i < count; i += 32, from += header + 20) {
      row.setScale(i / 32, half(data, from));
      if (minimum) {
        row.setOffset(i / 32, half(data, from + 2));
      }
      ByteVector pairs =
          ByteVector.fromMemorySegment(SIXTEEN_BYTES, data, from + header + 4, ORDER);
      ByteVector upper =
          pairs.reinterpretAsShorts().lanewise(VectorOperators.LSHR, 4).reinterpretAsBytes();
      short fifths = data.get(StoredRows.SHORT, from + header);
      short next = data.get(StoredRows.SHORT, from + header + 2);
      ByteVector low =
          ofByte
              .selectFrom(
                  ShortVector.broadcast(ShortVector.SPECIES_128, fifths).reinterpretAsBytes())
              .and(bit);
      ByteVector high =
          ofByte
              .selectFrom(ShortVector.broadcast(ShortVector.SPECIES_128, next).reinterpretAsBytes())
              .and(bit);
      ByteVector first = pairs.and((byte) 0xF).sub(middle);
      ByteVector second = upper.and((byte) 0xF).sub(middle);
      first
          .blend(first.add((byte) 16), low.compare(VectorOperators.NE, (byte) 0))
          .intoArray(quanta, i);
      second
          .blend(second.add((byte) 16), high.compare(VectorOperators.NE, (byte) 0))
          .intoArray(quanta, i + 16);
    }
  }
}
