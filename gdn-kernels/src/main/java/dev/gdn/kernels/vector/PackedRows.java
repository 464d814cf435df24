package dev.gdn.kernels.vector;

import java.lang.foreign.MemorySegment;

/**
 * Rows of blocks of a few bits for each element. They are taken apart into bytes and scales, which
 * stay in the first cache, and these are what a second loop computes with: bits are sorted with
 * many elements to a vector, and what follows is the same for all types.
 */
final class PackedRows implements StoredRows {
  private final RowUnpacker unpacker;
  private final UnpackedRow row;

  /**
   * @param group elements that share a scale, 16 or 32
   */
  PackedRows(RowUnpacker unpacker, int group) {
    this.unpacker = unpacker;
    this.row = new UnpackedRow(group);
  }

  @Override
  public void decode(MemorySegment data, long from, float[] target, int offset, int count) {
    row.reserve(count);
    unpacker.unpack(data, from, count, row);
    row.toFloats(target, offset, count);
  }

  @Override
  public void dot(
      MemorySegment data, long from, float[] x, int xAt, int count, float[] lanes, int to) {
    row.reserve(count);
    unpacker.unpack(data, from, count, row);
    row.dot(x, xAt, count, lanes, to);
  }
}
