package dev.gdn.core.tensor;

/**
 * Finds scale and minimum for which {@code scale * q - minimum}, with integers q from 0 to some
 * level, comes closest to some numbers: several steps around that which spans their range give
 * integers, and for each of these the best scale and minimum follow from the least squares. Large
 * numbers count for more. Not shared.
 */
final class AffineFit {
  /** Candidates on each side of the step that spans the range. */
  private static final int CANDIDATES = 8;

  private static final float STEP = 0.1f;

  private final int[] quanta;
  private float scale;
  private float minimum;
  private double error;

  /**
   * @param length numbers that are fitted at a time
   */
  AffineFit(int length) {
    this.quanta = new int[length];
  }

  /** What {@link #fit} found, at least 0. */
  float scale() {
    return scale;
  }

  /** What {@link #fit} found, at least 0: it is subtracted. */
  float minimum() {
    return minimum;
  }

  /** Fits the numbers from {@code at} on with integers up to {@code levels}. */
  void fit(float[] x, int at, int levels) {
    float low = 0;
    float high = x[at];
    float squares = 0;
    for (int i = 0; i < quanta.length; i++) {
      low = Math.min(low, x[at + i]);
      high = Math.max(high, x[at + i]);
      squares += x[at + i] * x[at + i];
    }
    scale = 0;
    minimum = -low;
    if (high <= low) {
      return;
    }
    float typical = (float) Math.sqrt(squares / quanta.length);
    error = Double.POSITIVE_INFINITY;
    for (int c = -CANDIDATES; c <= CANDIDATES; c++) {
      float inverse = (levels + STEP * c) / (high - low);
      for (int i = 0; i < quanta.length; i++) {
        quanta[i] = Math.clamp(Math.round((x[at + i] - low) * inverse), 0, levels);
      }
      improve(x, at, typical);
    }
  }

  /** Takes the best scale and minimum for the integers, if these are better than the last. */
  private void improve(float[] x, int at, float typical) {
    double sumW = 0;
    double sumQ = 0;
    double sumQq = 0;
    double sumX = 0;
    double sumXq = 0;
    double sumXx = 0;
    for (int i = 0; i < quanta.length; i++) {
      double weight = typical + Math.abs(x[at + i]);
      double q = quanta[i];
      sumW += weight;
      sumQ += weight * q;
      sumQq += weight * q * q;
      sumX += weight * x[at + i];
      sumXq += weight * x[at + i] * q;
      sumXx += weight * x[at + i] * x[at + i];
    }
    double determinant = sumW * sumQq - sumQ * sumQ;
    double s = (sumW * sumXq - sumX * sumQ) / determinant;
    double m = (sumQ * sumXq - sumQq * sumX) / determinant;
    if (!(determinant > 0) || m < 0) {
      s = sumXq / sumQq;
      m = 0;
    }
    // Σ w (s q - m - x)², multiplied out.
    double e = sumXx + s * s * sumQq + m * m * sumW - 2 * (s * m * sumQ + s * sumXq - m * sumX);
    if (s >= 0 && e < error) {
      scale = (float) s;
      minimum = (float) m;
      error = e;
    }
  }
}
