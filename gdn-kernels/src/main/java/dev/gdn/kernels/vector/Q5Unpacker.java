package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.StoredRows.half;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * GGUF Q5_0 and Q5_1, eight elements in the bytes of a {@code long} at a time. Fifth bits as a mask
 * of a vector ran a thousand times slower in code that C2 had not compiled yet.
 *
 * @param minimum whether blocks have one (Q5_1); otherwise elements are offset by 16
 */
record Q5Unpacker(boolean minimum) implements RowUnpacker {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(MatrixLanes.ORDER);
  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, MatrixLanes.ORDER);
  private static final long ONES = 0x0101010101010101L;
  private static final long NIBBLES = 0x0F * ONES;

  @Override
  public void unpack(MemorySegment data, long from, int count, UnpackedRow row) {
    byte[] quanta = row.quanta();
    int header = minimum ? 4 : 2;
    for (int i = 0; i < count; i += 32, from += header + 20) {
      row.scales()[i / 32] = half(data, from);
      if (minimum) {
        row.offsets()[i / 32] = half(data, from + 2);
      }
      int fifths = data.get(StoredRows.INT, from + header);
      for (int j = 0; j < 16; j += 8) {
        long pairs = data.get(LONG, from + header + 4 + j);
        long low = pairs & NIBBLES | upper(fifths >>> j);
        long high = pairs >>> 4 & NIBBLES | upper(fifths >>> j + 16);
        EIGHT_BYTES.set(quanta, i + j, low);
        EIGHT_BYTES.set(quanta, i + j + 16, high);
      }
    }
  }

  /** What the lowest eight bits make of the upper halves of eight bytes. */
  private long upper(int bits) {
    // With an offset of 16, a bit that is not set makes the number negative: four more ones.
    return minimum ? Long.expand(bits, ONES) << 4 : Long.expand(~bits, ONES) * 0xF0;
  }
}
