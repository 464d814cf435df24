package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.StoredRows.half;

import java.lang.foreign.MemorySegment;

/** Scales of six bits. */
final class SixBitScales {
  private static final int SIX = 0x3F3F3F3F;
  private static final int FOUR = 0x0F0F0F0F;
  private static final int TWO = 0x03030303;
  private static final long SIXTH = 0x2020202020202020L;

  private SixBitScales() {}

  /**
   * Unpacks those of Q4_K and Q5_K, two binary16 and 8 scales and 8 minima in 12 bytes: those of
   * the block at byte {@code from} for the eight groups from {@code at} on.
   */
  static void unpack(MemorySegment data, long from, UnpackedRow row, int at) {
    int a = data.get(StoredRows.INT, from + 4);
    int b = data.get(StoredRows.INT, from + 8);
    int c = data.get(StoredRows.INT, from + 12);
    // A byte for each. The last four have their lower bits in c, their upper ones above the first.
    long factors = a & SIX | (long) (c & FOUR | (a >>> 6 & TWO) << 4) << 32;
    long minima = b & SIX | (long) (c >>> 4 & FOUR | (b >>> 6 & TWO) << 4) << 32;
    row.setScales(at, factors, half(data, from));
    row.setOffsets(at, minima, -half(data, from + 2));
  }

  /** Eight numbers of six bits in a byte each, less 32, as signed bytes. */
  static long lessThirtyTwo(long bytes) {
    // The sixth bit turned around, and copied to the two above it.
    long sixth = ~bytes & SIXTH;
    return bytes & ~SIXTH | sixth | sixth << 1 | sixth << 2;
  }
}
