package dev.gdn.kernels.vector;

import java.lang.foreign.MemorySegment;

/** Takes blocks of a few bits apart, in all rows of a group. One for each type; stateless. */
sealed interface GroupUnpacker permits Q4KGroups, Q5KGroups, Q6KGroups {
  /**
   * Unpacks one block of each row.
   *
   * @param block its bytes, as {@link dev.gdn.core.tensor.RowGroups} lays them out, and no others
   */
  void unpack(MemorySegment block, UnpackedGroup group);
}
