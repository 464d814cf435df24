package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;

/**
 * Adds up the lanes of some dot products together. One after the other, what a row's last vector
 * stores was read again number by number before the store was done, which took as long as a third
 * of a row of 1,024. What a row gives does not depend on the others. For one worker.
 */
final class RowSums {
  /** Dot products that are added up together. */
  static final int MOST = LaneSums.VECTORS;

  private final float[] lanes = new float[MOST * LENGTH];
  private final float[] sums = new float[Math.max(MOST, LENGTH)];

  /** {@code [MOST, LENGTH]}. */
  float[] lanes() {
    return lanes;
  }

  /** Adds up what {@link #lanes} hold. */
  float[] sums() {
    LaneSums.sum8(lanes, 0, sums, 0);
    return sums;
  }
}
