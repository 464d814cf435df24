package dev.gdn.kernels.vector;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.kernels.RandomBlocks;
import java.util.SplittableRandom;

/** Weight matrices of random contents, stored as a checkpoint stores them. */
final class RandomWeights {
  private RandomWeights() {}

  static WeightMatrix matrix(DataType type, int rows, int columns, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return new WeightMatrix(
        type + " weights",
        type,
        rows,
        columns,
        RandomBlocks.of(random, type, (long) rows * columns).asReadOnly());
  }
}
