package dev.gdn.kernels.vector;

/** Takes blocks of a few bits apart, in all rows of a group. One for each type; stateless. */
sealed interface GroupUnpacker permits Q4KGroups, Q5KGroups, Q6KGroups {
  /**
   * Unpacks one block of each row.
   *
   * @param halves where its binary16 numbers start
   * @param from where its other bytes start, as {@link dev.gdn.core.tensor.RowGroups} lays them out
   */
  void unpack(byte[] data, int halves, int from, UnpackedGroup group);
}
