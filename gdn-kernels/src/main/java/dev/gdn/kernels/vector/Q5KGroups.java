package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.HALF_BYTES;
import static dev.gdn.kernels.vector.GroupLanes.ROWS;

/** GGUF Q5_K. */
record Q5KGroups() implements GroupUnpacker {
  private static final int FIFTHS = 12 * ROWS;
  private static final int NIBBLES = FIFTHS + GroupBits.COLUMNS;
  private static final short FIFTH = 0x1010;

  @Override
  public void unpack(byte[] data, int halves, int from, UnpackedGroup group) {
    GroupLanes.sixBitFactors(data, from, group.factors());
    group.setScales(data, halves);
    group.setMinima(data, halves + HALF_BYTES);
    // A byte of fifth bits has one for each 32 columns.
    for (int c = 0; c < 8; c++) {
      int nibbles = from + NIBBLES + c / 2 * GroupBits.COLUMNS;
      int to = c * GroupBits.COLUMNS;
      GroupBits.join(
          data, nibbles, c % 2 * 4, from + FIFTHS, c, FIFTH, (byte) 0, group.quanta(), to);
    }
  }
}
