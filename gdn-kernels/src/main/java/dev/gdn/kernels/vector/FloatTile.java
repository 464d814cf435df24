package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.VECTOR;
import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;

import jdk.incubator.vector.FloatVector;

/**
 * The innermost step of a product with many tokens: c[r, t] += Σ_k w[r, k] · x[k, t] for six rows
 * and one or two vectors of tokens, held in registers. Twelve sums, two vectors of tokens and a
 * weight fit the sixteen registers of the smaller machines.
 */
final class FloatTile {
  private FloatTile() {}

  /**
   * A tile of two vectors of tokens.
   *
   * @param w weights, row r from {@code w0 + r * wStride} on
   * @param x tokens, {@code [depth, 2 * LENGTH]} from {@code x0} on
   * @param c sums, {@code [6, 2 * LENGTH]} from {@code c0} on
   */
  static void wide(
      float[] w, int w0, int wStride, float[] x, int x0, int depth, float[] c, int c0) {
    if (depth == 0) {
      return;
    }
    int c1 = c0 + 2 * LENGTH;
    int c2 = c1 + 2 * LENGTH;
    int c3 = c2 + 2 * LENGTH;
    int c4 = c3 + 2 * LENGTH;
    int c5 = c4 + 2 * LENGTH;
    FloatVector s00 = FloatVector.fromArray(FLOATS, c, c0);
    FloatVector s01 = FloatVector.fromArray(FLOATS, c, c0 + LENGTH);
    FloatVector s10 = FloatVector.fromArray(FLOATS, c, c1);
    FloatVector s11 = FloatVector.fromArray(FLOATS, c, c1 + LENGTH);
    FloatVector s20 = FloatVector.fromArray(FLOATS, c, c2);
    FloatVector s21 = FloatVector.fromArray(FLOATS, c, c2 + LENGTH);
    FloatVector s30 = FloatVector.fromArray(FLOATS, c, c3);
    FloatVector s31 = FloatVector.fromArray(FLOATS, c, c3 + LENGTH);
    FloatVector s40 = FloatVector.fromArray(FLOATS, c, c4);
    FloatVector s41 = FloatVector.fromArray(FLOATS, c, c4 + LENGTH);
    FloatVector s50 = FloatVector.fromArray(FLOATS, c, c5);
    FloatVector s51 = FloatVector.fromArray(FLOATS, c, c5 + LENGTH);
    int w1 = w0 + wStride;
    int w2 = w1 + wStride;
    int w3 = w2 + wStride;
    int w4 = w3 + wStride;
    int w5 = w4 + wStride;
    for (int k = 0; k < depth; k++) {
      FloatVector left = FloatVector.fromArray(FLOATS, x, x0 + k * 2 * LENGTH);
      FloatVector right = FloatVector.fromArray(FLOATS, x, x0 + k * 2 * LENGTH + LENGTH);
      FloatVector weight = FloatVector.broadcast(FLOATS, w[w0 + k]);
      s00 = weight.fma(left, s00);
      s01 = weight.fma(right, s01);
      weight = FloatVector.broadcast(FLOATS, w[w1 + k]);
      s10 = weight.fma(left, s10);
      s11 = weight.fma(right, s11);
      weight = FloatVector.broadcast(FLOATS, w[w2 + k]);
      s20 = weight.fma(left, s20);
      s21 = weight.fma(right, s21);
      weight = FloatVector.broadcast(FLOATS, w[w3 + k]);
      s30 = weight.fma(left, s30);
      s31 = weight.fma(right, s31);
      weight = FloatVector.broadcast(FLOATS, w[w4 + k]);
      s40 = weight.fma(left, s40);
      s41 = weight.fma(right, s41);
      weight = FloatVector.broadcast(FLOATS, w[w5 + k]);
      s50 = weight.fma(left, s50);
      s51 = weight.fma(right, s51);
    }
    ((FloatVector) VECTOR.cast(s00)).intoArray(c, c0);
    ((FloatVector) VECTOR.cast(s01)).intoArray(c, c0 + LENGTH);
    ((FloatVector) VECTOR.cast(s10)).intoArray(c, c1);
    ((FloatVector) VECTOR.cast(s11)).intoArray(c, c1 + LENGTH);
    ((FloatVector) VECTOR.cast(s20)).intoArray(c, c2);
    ((FloatVector) VECTOR.cast(s21)).intoArray(c, c2 + LENGTH);
    ((FloatVector) VECTOR.cast(s30)).intoArray(c, c3);
    ((FloatVector) VECTOR.cast(s31)).intoArray(c, c3 + LENGTH);
    ((FloatVector) VECTOR.cast(s40)).intoArray(c, c4);
    ((FloatVector) VECTOR.cast(s41)).intoArray(c, c4 + LENGTH);
    ((FloatVector) VECTOR.cast(s50)).intoArray(c, c5);
    ((FloatVector) VECTOR.cast(s51)).intoArray(c, c5 + LENGTH);
  }

  /** A tile of the first vector of tokens alone, laid out as for two. */
  static void narrow(
      float[] w, int w0, int wStride, float[] x, int x0, int depth, float[] c, int c0) {
    if (depth == 0) {
      return;
    }
    int c1 = c0 + 2 * LENGTH;
    int c2 = c1 + 2 * LENGTH;
    int c3 = c2 + 2 * LENGTH;
    int c4 = c3 + 2 * LENGTH;
    int c5 = c4 + 2 * LENGTH;
    FloatVector s0 = FloatVector.fromArray(FLOATS, c, c0);
    FloatVector s1 = FloatVector.fromArray(FLOATS, c, c1);
    FloatVector s2 = FloatVector.fromArray(FLOATS, c, c2);
    FloatVector s3 = FloatVector.fromArray(FLOATS, c, c3);
    FloatVector s4 = FloatVector.fromArray(FLOATS, c, c4);
    FloatVector s5 = FloatVector.fromArray(FLOATS, c, c5);
    int w1 = w0 + wStride;
    int w2 = w1 + wStride;
    int w3 = w2 + wStride;
    int w4 = w3 + wStride;
    int w5 = w4 + wStride;
    for (int k = 0; k < depth; k++) {
      FloatVector tokens = FloatVector.fromArray(FLOATS, x, x0 + k * 2 * LENGTH);
      s0 = FloatVector.broadcast(FLOATS, w[w0 + k]).fma(tokens, s0);
      s1 = FloatVector.broadcast(FLOATS, w[w1 + k]).fma(tokens, s1);
      s2 = FloatVector.broadcast(FLOATS, w[w2 + k]).fma(tokens, s2);
      s3 = FloatVector.broadcast(FLOATS, w[w3 + k]).fma(tokens, s3);
      s4 = FloatVector.broadcast(FLOATS, w[w4 + k]).fma(tokens, s4);
      s5 = FloatVector.broadcast(FLOATS, w[w5 + k]).fma(tokens, s5);
    }
    ((FloatVector) VECTOR.cast(s0)).intoArray(c, c0);
    ((FloatVector) VECTOR.cast(s1)).intoArray(c, c1);
    ((FloatVector) VECTOR.cast(s2)).intoArray(c, c2);
    ((FloatVector) VECTOR.cast(s3)).intoArray(c, c3);
    ((FloatVector) VECTOR.cast(s4)).intoArray(c, c4);
    ((FloatVector) VECTOR.cast(s5)).intoArray(c, c5);
  }
}
