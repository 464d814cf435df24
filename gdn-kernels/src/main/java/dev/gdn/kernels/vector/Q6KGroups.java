package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.BYTES;
import static dev.gdn.kernels.vector.GroupLanes.HALF_BYTES;
import static dev.gdn.kernels.vector.GroupLanes.ROWS;
import static dev.gdn.kernels.vector.GroupLanes.left;
import static dev.gdn.kernels.vector.GroupLanes.right;
import static dev.gdn.kernels.vector.MatrixLanes.ORDER;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.ByteVector;

/** GGUF Q6_K. */
record Q6KGroups() implements GroupUnpacker {
  private static final int NIBBLES = HALF_BYTES;
  private static final int PAIRS = NIBBLES + 128 * ROWS;
  private static final int FACTORS = PAIRS + 64 * ROWS;

  @Override
  public void unpack(MemorySegment block, UnpackedGroup group) {
    MemorySegment.copy(block, ValueLayout.JAVA_BYTE, FACTORS, group.factors(), 0, 16 * ROWS);
    group.setScales(block, 0);
    // Of each byte of pairs of bits, the columns are 32 apart, of nibbles, 64.
    for (int half = 0; half < 2; half++) {
      int nibbles = NIBBLES + half * 64 * ROWS;
      unpackHalf(block, nibbles, PAIRS + half * 32 * ROWS, group.quanta(), half * 128 * ROWS);
    }
  }

  private static void unpackHalf(
      MemorySegment block, long nibbles, long pairs, byte[] quanta, int to) {
    int apart = 32 * ROWS;
    for (int i = 0; i < apart; i += BYTES.length()) {
      ByteVector a = ByteVector.fromMemorySegment(BYTES, block, nibbles + i, ORDER);
      ByteVector b = ByteVector.fromMemorySegment(BYTES, block, nibbles + apart + i, ORDER);
      ByteVector fours = ByteVector.fromMemorySegment(BYTES, block, pairs + i, ORDER);
      for (int k = 0; k < 2; k++) {
        a.and((byte) 0xF)
            .or(left(fours, 4).and((byte) 0x30))
            .sub((byte) 32)
            .intoArray(quanta, to + 2 * k * apart + i);
        b.and((byte) 0xF)
            .or(left(fours, 2).and((byte) 0x30))
            .sub((byte) 32)
            .intoArray(quanta, to + (2 * k + 1) * apart + i);
        a = right(a, 4);
        b = right(b, 4);
        fours = right(fours, 4);
      }
    }
  }
}
