package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.BYTES;
import static dev.gdn.kernels.vector.GroupLanes.HALF_BYTES;
import static dev.gdn.kernels.vector.GroupLanes.ROWS;
import static dev.gdn.kernels.vector.GroupLanes.left;
import static dev.gdn.kernels.vector.GroupLanes.right;
import static dev.gdn.kernels.vector.MatrixLanes.ORDER;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;

/** GGUF Q5_K. */
record Q5KGroups() implements GroupUnpacker {
  private static final int FACTORS = 2 * HALF_BYTES;
  private static final int FIFTHS = FACTORS + 12 * ROWS;
  private static final int NIBBLES = FIFTHS + 32 * ROWS;

  @Override
  public void unpack(MemorySegment block, UnpackedGroup group) {
    GroupLanes.sixBitFactors(block, FACTORS, group.factors());
    group.setScales(block, 0);
    group.setMinima(block, HALF_BYTES);
    byte[] quanta = group.quanta();
    // Of each byte of nibbles, the columns are 32 apart; so are those of the fifth bits.
    int apart = 32 * ROWS;
    for (int i = 0; i < apart; i += BYTES.length()) {
      ByteVector fifths = ByteVector.fromMemorySegment(BYTES, block, FIFTHS + i, ORDER);
      for (int k = 0; k < 4; k++) {
        ByteVector pairs =
            ByteVector.fromMemorySegment(BYTES, block, NIBBLES + k * apart + i, ORDER);
        pairs
            .and((byte) 0xF)
            .or(left(fifths, 4).and((byte) 0x10))
            .intoArray(quanta, 2 * k * apart + i);
        right(pairs, 4)
            .and((byte) 0xF)
            .or(left(fifths, 3).and((byte) 0x10))
            .intoArray(quanta, (2 * k + 1) * apart + i);
        fifths = right(fifths, 2);
      }
    }
  }
}
