package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.SIXTEEN_BYTES;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;

/** GGUF IQ4_XS. */
record IQ4XSUnpacker() implements RowUnpacker {
  private static final long NIBBLES = 0x0F0F0F0F0F0F0F0FL;
  private static final long PAIRS = 0x0303030303030303L;

  @Override
  public void unpack(MemorySegment data, long from, int count, UnpackedRow row) {
    data.isMapped(); // see StoredRows
    ByteVector table = ByteVector.fromArray(SIXTEEN_BYTES, Codebook.NONLINEAR.table(), 0);
    byte[] quanta = row.quanta();
    for (int i = 0; i < count; i += 256, from += 136) {
      scales(data, from, row, i / 32);
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

  // A binary16, eight pairs of bits, offset by 32, and the eight nibbles below them. Read at once:
  // C2 makes one instruction of an expansion and the load before it, and HotSpot does not know how
  // to go on after that if it faults, see StoredRows.touch.
  private static void scales(MemorySegment data, long from, UnpackedRow row, int at) {
    long header = data.get(StoredRows.LONG, from);
    long nibbles = Long.expand(header >>> 32, NIBBLES);
    long pairs = Long.expand(header >>> 16, PAIRS);
    float scale = Float.float16ToFloat((short) header);
    row.setScales(at, SixBitScales.lessThirtyTwo(nibbles | pairs << 4), scale);
  }
}
