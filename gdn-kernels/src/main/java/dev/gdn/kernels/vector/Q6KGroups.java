package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.ROWS;

/** GGUF Q6_K. */
record Q6KGroups() implements GroupUnpacker {
  private static final int PAIRS = 4 * GroupBits.COLUMNS;
  private static final int FACTORS = PAIRS + 2 * GroupBits.COLUMNS;
  private static final short FIFTH_AND_SIXTH = 0x3030;

  @Override
  public void unpack(byte[] data, int halves, int from, UnpackedGroup group) {
    System.arraycopy(data, from + FACTORS, group.factors(), 0, 16 * ROWS);
    group.setScales(data, halves);
    // In each half of the columns: a byte of nibbles has columns 64 apart, one of pairs of bits
    // those 32 apart.
    for (int c = 0; c < 8; c++) {
      int half = c / 4;
      GroupBits.join(
          data,
          from + (2 * half + c % 2) * GroupBits.COLUMNS,
          c % 4 / 2 * 4,
          from + PAIRS + half * GroupBits.COLUMNS,
          c % 4 * 2,
          FIFTH_AND_SIXTH,
          (byte) 32,
          group.quanta(),
          c * GroupBits.COLUMNS);
    }
  }
}
