package dev.gdn.kernels.vector;

import java.lang.foreign.MemorySegment;

/** Takes the blocks of one stored type apart. */
sealed interface RowUnpacker
    permits Q4Unpacker,
        Q5Unpacker,
        Q2KUnpacker,
        Q3KUnpacker,
        Q4KUnpacker,
        Q5KUnpacker,
        Q6KUnpacker,
        CodebookUnpacker,
        IQ4XSUnpacker {
  /**
   * Unpacks {@code count} elements that start at byte {@code from}.
   *
   * @param count a whole number of blocks
   * @param row has room for them
   */
  void unpack(MemorySegment data, long from, int count, UnpackedRow row);
}
