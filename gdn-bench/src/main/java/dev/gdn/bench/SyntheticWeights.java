package dev.gdn.bench;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.WeightMatrix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** Weight matrices of random, finite numbers, stored as a checkpoint stores them. */
final class SyntheticWeights {
  /** Bytes of these bits alone make finite numbers below 2, whatever they are read as. */
  private static final byte BITS = 0x3F;

  private static final int PIECE = 1 << 16;

  private SyntheticWeights() {}

  static WeightMatrix matrix(DataType type, int rows, int columns, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long size = rows * type.bytes(columns);
    MemorySegment data = Arena.ofAuto().allocate(size, 64);
    byte[] bytes = new byte[PIECE];
    for (long at = 0; at < size; at += PIECE) {
      random.nextBytes(bytes);
      for (int i = 0; i < PIECE; i++) {
        bytes[i] &= BITS;
      }
      long count = Math.min(PIECE, size - at);
      data.asSlice(at, count).copyFrom(MemorySegment.ofArray(bytes).asSlice(0, count));
    }
    return new WeightMatrix(type + " " + seed, type, rows, columns, data.asReadOnly());
  }
}
