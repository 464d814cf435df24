package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.F;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * exp and what is made of it, to a few ulp over the whole range: denormal results, infinities and
 * NaN included. Each method is small enough for C2 to inline into its loop.
 */
final class VectorMath {
  static final float LOG2_E = 1.44269504f;
  // ln 2 in two parts; the first has few enough bits for a whole multiple of it to be exact.
  static final float LN2_HIGH = 0.693359375f;
  static final float LN2_LOW = -2.12194440e-4f;
  // Adding it rounds to a whole number, which then stands in the low bits; the lowest nine of its
  // own are 0.
  static final float ROUND = 12582912f;
  // Beyond these e^x, and 2^64 e^x at the lower end, is infinity or 0.
  private static final float HIGHEST = 89f;
  private static final float LOWEST = -160f;
  private static final float TWO_TO_MINUS_64 = 0x1p-64f;

  private VectorMath() {}

  /** e^x. */
  static FloatVector exp(FloatVector x) {
    return exp(x, 0);
  }

  /**
   * e^x · 2^shift. With x = n ln 2 + r, |r| ≤ ln 2 / 2, it is 2^(n + shift) · e^r, the latter by a
   * polynomial (Cephes, expf). The power of two is multiplied in by halves, so that a denormal
   * result is rounded once.
   */
  private static FloatVector exp(FloatVector x, float shift) {
    FloatVector c = x.blend(LOWEST, x.compare(VectorOperators.LT, LOWEST));
    c = c.blend(HIGHEST, c.compare(VectorOperators.GT, HIGHEST));
    FloatVector n = c.fma(LOG2_E, ROUND).sub(ROUND);
    FloatVector half = n.fma(0.5f, ROUND).sub(ROUND);
    FloatVector rest = n.sub(half).add(shift);
    return expOfRemainder(c, n).mul(powerOfTwo(half)).mul(powerOfTwo(rest));
  }

  // e^r with r = x − n ln 2.
  private static FloatVector expOfRemainder(FloatVector x, FloatVector n) {
    FloatVector r = n.fma(FloatVector.broadcast(F, -LN2_HIGH), x);
    r = n.fma(FloatVector.broadcast(F, -LN2_LOW), r);
    FloatVector p = r.fma(1.9875691500e-4f, 1.3981999507e-3f);
    p = p.fma(r, FloatVector.broadcast(F, 8.3334519073e-3f));
    p = p.fma(r, FloatVector.broadcast(F, 4.1665795894e-2f));
    p = p.fma(r, FloatVector.broadcast(F, 1.6666665459e-1f));
    p = p.fma(r, FloatVector.broadcast(F, 5.0000001201e-1f));
    return p.fma(r.mul(r), r).add(1f);
  }

  // 2^n: the sum's low bits are n + 127, which the shift makes the exponent.
  private static FloatVector powerOfTwo(FloatVector n) {
    return n.add(ROUND + 127)
        .reinterpretAsInts()
        .lanewise(VectorOperators.LSHL, 23)
        .reinterpretAsFloats();
  }

  /** 1 / (1 + e^-x). */
  static FloatVector sigmoid(FloatVector x) {
    FloatVector e = exp(x.abs().neg());
    FloatVector numerator = e.blend(1f, x.compare(VectorOperators.GE, 0f));
    return numerator.div(e.add(1f));
  }

  /**
   * x / (1 + e^-x), and its limit −0 at minus infinity. Below 0 it is x e^x / (1 + e^x), whose
   * numerator is formed with e^x · 2^64, for e^x may be denormal where x e^x is not.
   */
  static FloatVector silu(FloatVector x) {
    FloatVector scaled = exp(x.abs().neg(), 64);
    FloatVector e = scaled.mul(TWO_TO_MINUS_64);
    FloatVector c = x.blend(LOWEST, x.compare(VectorOperators.LT, LOWEST));
    FloatVector below = c.mul(scaled).mul(TWO_TO_MINUS_64);
    FloatVector numerator = below.blend(x, x.compare(VectorOperators.GE, 0f));
    return numerator.div(e.add(1f));
  }

  /** ln(1 + e^x) = max(x, 0) + log1p(e^-|x|). */
  static FloatVector softplus(FloatVector x) {
    FloatVector linear = x.blend(0f, x.compare(VectorOperators.LT, 0f));
    return log1p(exp(x.abs().neg())).add(linear);
  }

  /** ln(1 + y) for y from 0 to 1, as 2 artanh(s) with s = y / (2 + y), at most 1/3. */
  private static FloatVector log1p(FloatVector y) {
    FloatVector s = y.div(y.add(2f));
    FloatVector z = s.mul(s);
    FloatVector p = z.fma(2f / 17, 2f / 15);
    p = p.fma(z, FloatVector.broadcast(F, 2f / 13));
    p = p.fma(z, FloatVector.broadcast(F, 2f / 11));
    p = p.fma(z, FloatVector.broadcast(F, 2f / 9));
    p = p.fma(z, FloatVector.broadcast(F, 2f / 7));
    p = p.fma(z, FloatVector.broadcast(F, 2f / 5));
    p = p.fma(z, FloatVector.broadcast(F, 2f / 3));
    return p.mul(z).fma(s, s.add(s));
  }
}
