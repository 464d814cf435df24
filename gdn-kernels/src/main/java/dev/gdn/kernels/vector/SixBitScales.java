package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.StoredRows.half;

import java.lang.foreign.MemorySegment;

/** The scales of Q4_K and Q5_K: two binary16, and 8 scales and 8 minima of six bits in 12 bytes. */
final class SixBitScales {
  private static final int SIX = 0x3F3F3F3F;
  private static final int FOUR = 0x0F0F0F0F;
  private static final int TWO = 0x03030303;

  private SixBitScales() {}

  /** Unpacks those of the block at byte {@code from} for the eight groups from {@code at} on. */
  static void unpack(MemorySegment data, long from, UnpackedRow row, int at) {
    float scale = half(data, from);
    float minimum = half(data, from + 2);
    int a = data.get(StoredRows.INT, from + 4);
    int b = data.get(StoredRows.INT, from + 8);
    int c = data.get(StoredRows.INT, from + 12);
    // A byte for each. The last four have their lower bits in c, their upper ones above the first.
    long factors = a & SIX | (long) (c & FOUR | (a >>> 6 & TWO) << 4) << 32;
    long minima = b & SIX | (long) (c >>> 4 & FOUR | (b >>> 6 & TWO) << 4) << 32;
    float[] scales = row.scales();
    float[] offsets = row.offsets();
    for (int group = 0; group < 8; group++) {
      scales[at + group] = scale * (int) (factors >>> 8 * group & 0xFF);
      offsets[at + group] = -(minimum * (int) (minima >>> 8 * group & 0xFF));
    }
  }
}
