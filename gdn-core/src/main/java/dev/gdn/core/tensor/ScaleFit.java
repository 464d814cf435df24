package dev.gdn.core.tensor;

/**
 * Finds the scale for which {@code scale * q}, with integers q from {@code -levels} to {@code
 * levels - 1}, comes closest to some numbers, as {@link AffineFit} does.
 */
final class ScaleFit {
  /** Candidates on each side of the step that spans the range. */
  private static final int CANDIDATES = 8;

  private static final float STEP = 0.1f;

  private ScaleFit() {}

  /** The scale for {@code length} numbers from {@code at} on; 0 if all are. */
  static float of(float[] x, int at, int length, int levels) {
    float largest = 0;
    for (int i = at; i < at + length; i++) {
      if (Math.abs(x[i]) > Math.abs(largest)) {
        largest = x[i];
      }
    }
    float best = 0;
    double bestGain = 0;
    for (int c = -CANDIDATES; c <= CANDIDATES && largest != 0; c++) {
      // -levels, the value without a positive twin, stands for the largest.
      float inverse = -(levels + STEP * c) / largest;
      double sumXq = 0;
      double sumQq = 0;
      for (int i = at; i < at + length; i++) {
        int q = Math.clamp(Math.round(x[i] * inverse), -levels, levels - 1);
        double weight = (double) x[i] * x[i];
        sumXq += weight * x[i] * q;
        sumQq += weight * q * q;
      }
      // With the best scale the squared error falls by this much.
      double gain = sumXq * sumXq / sumQq;
      if (gain > bestGain) {
        bestGain = gain;
        best = (float) (sumXq / sumQq);
      }
    }
    return best;
  }
}
