package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.HALF_BYTES;
import static dev.gdn.kernels.vector.GroupLanes.ROWS;

/** GGUF Q4_K. */
record Q4KGroups() implements GroupUnpacker {
  private static final int NIBBLES = 12 * ROWS;

  @Override
  public void unpack(byte[] data, int halves, int from, UnpackedGroup group) {
    GroupLanes.sixBitFactors(data, from, group.factors());
    group.setScales(data, halves);
    group.setMinima(data, halves + HALF_BYTES);
    for (int c = 0; c < 8; c++) {
      int nibbles = from + NIBBLES + c / 2 * GroupBits.COLUMNS;
      GroupBits.nibbles(data, nibbles, c % 2 * 4, group.quanta(), c * GroupBits.COLUMNS);
    }
  }
}
