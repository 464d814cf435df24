package dev.gdn.core.tensor;

/** Plain loops over rows of {@code float[]}; every sum has a fixed order. */
public final class Rows {
  private Rows() {}

  /** Σ_i a_i · b_i over {@code n} elements from {@code aAt} and {@code bAt} on. */
  public static float dot(float[] a, int aAt, float[] b, int bAt, int n) {
    // Four sums: independent of each other, so that one addition need not wait for the last.
    float sum0 = 0;
    float sum1 = 0;
    float sum2 = 0;
    float sum3 = 0;
    int i = 0;
    for (; i + 3 < n; i += 4) {
      sum0 += a[aAt + i] * b[bAt + i];
      sum1 += a[aAt + i + 1] * b[bAt + i + 1];
      sum2 += a[aAt + i + 2] * b[bAt + i + 2];
      sum3 += a[aAt + i + 3] * b[bAt + i + 3];
    }
    for (; i < n; i++) {
      sum0 += a[aAt + i] * b[bAt + i];
    }
    return sum0 + sum1 + (sum2 + sum3);
  }

  /** The same in float64. */
  public static double exactDot(float[] a, int aAt, float[] b, int bAt, int n) {
    double sum0 = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    int i = 0;
    for (; i + 3 < n; i += 4) {
      sum0 += (double) a[aAt + i] * b[bAt + i];
      sum1 += (double) a[aAt + i + 1] * b[bAt + i + 1];
      sum2 += (double) a[aAt + i + 2] * b[bAt + i + 2];
      sum3 += (double) a[aAt + i + 3] * b[bAt + i + 3];
    }
    for (; i < n; i++) {
      sum0 += (double) a[aAt + i] * b[bAt + i];
    }
    return sum0 + sum1 + (sum2 + sum3);
  }

  /** y_i = y_i + factor · x_i over {@code n} elements from {@code yAt} and {@code xAt} on. */
  public static void addScaled(float factor, float[] x, int xAt, float[] y, int yAt, int n) {
    for (int i = 0; i < n; i++) {
      y[yAt + i] += factor * x[xAt + i];
    }
  }

  /** y_i = factor · x_i over {@code n} elements from {@code yAt} and {@code xAt} on. */
  public static void scale(float factor, float[] x, int xAt, float[] y, int yAt, int n) {
    for (int i = 0; i < n; i++) {
      y[yAt + i] = factor * x[xAt + i];
    }
  }

  /** y_i = x_i · y_i over {@code n} elements from {@code yAt} and {@code xAt} on. */
  public static void multiply(float[] x, int xAt, float[] y, int yAt, int n) {
    for (int i = 0; i < n; i++) {
      y[yAt + i] *= x[xAt + i];
    }
  }

  /** rsqrt(Σ_i x_i² + epsilon) over {@code n} elements from {@code at} on, summed in float64. */
  public static float inverseNorm(float epsilon, float[] x, int at, int n) {
    double squares = 0;
    for (int i = 0; i < n; i++) {
      squares += (double) x[at + i] * x[at + i];
    }
    return (float) (1 / Math.sqrt(squares + epsilon));
  }
}
