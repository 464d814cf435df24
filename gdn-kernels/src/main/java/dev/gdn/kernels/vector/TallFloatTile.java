package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.VECTOR;
import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;

import jdk.incubator.vector.FloatVector;

/**
 * {@link FloatTile#wide} for twelve rows, where the machine has 32 registers: each vector of tokens
 * is loaded for twice as many products, so that tokens which lie across cache lines, two loads
 * each, do not hold up the multipliers.
 */
final class TallFloatTile {
  private TallFloatTile() {}

  /**
   * c[r, t] += Σ_k w[r, k] · x[k, t].
   *
   * @param w weights, row r from {@code w0 + r * wStride} on
   * @param x tokens, {@code [depth, 2 * LENGTH]} from {@code x0} on
   * @param c sums, {@code [12, 2 * LENGTH]} from {@code c0} on
   */
  static void multiply(
      float[] w, int w0, int wStride, float[] x, int x0, int depth, float[] c, int c0) {
    if (depth == 0) {
      return;
    }
    int w1 = w0 + wStride;
    int w2 = w1 + wStride;
    int w3 = w2 + wStride;
    int w4 = w3 + wStride;
    int w5 = w4 + wStride;
    int w6 = w5 + wStride;
    int w7 = w6 + wStride;
    int w8 = w7 + wStride;
    int w9 = w8 + wStride;
    int w10 = w9 + wStride;
    int w11 = w10 + wStride;
    int c1 = c0 + 2 * LENGTH;
    int c2 = c1 + 2 * LENGTH;
    int c3 = c2 + 2 * LENGTH;
    int c4 = c3 + 2 * LENGTH;
    int c5 = c4 + 2 * LENGTH;
    int c6 = c5 + 2 * LENGTH;
    int c7 = c6 + 2 * LENGTH;
    int c8 = c7 + 2 * LENGTH;
    int c9 = c8 + 2 * LENGTH;
    int c10 = c9 + 2 * LENGTH;
    int c11 = c10 + 2 * LENGTH;
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
    FloatVector s60 = FloatVector.fromArray(FLOATS, c, c6);
    FloatVector s61 = FloatVector.fromArray(FLOATS, c, c6 + LENGTH);
    FloatVector s70 = FloatVector.fromArray(FLOATS, c, c7);
    FloatVector s71 = FloatVector.fromArray(FLOATS, c, c7 + LENGTH);
    FloatVector s80 = FloatVector.fromArray(FLOATS, c, c8);
    FloatVector s81 = FloatVector.fromArray(FLOATS, c, c8 + LENGTH);
    FloatVector s90 = FloatVector.fromArray(FLOATS, c, c9);
    FloatVector s91 = FloatVector.fromArray(FLOATS, c, c9 + LENGTH);
    FloatVector s100 = FloatVector.fromArray(FLOATS, c, c10);
    FloatVector s101 = FloatVector.fromArray(FLOATS, c, c10 + LENGTH);
    FloatVector s110 = FloatVector.fromArray(FLOATS, c, c11);
    FloatVector s111 = FloatVector.fromArray(FLOATS, c, c11 + LENGTH);
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
      weight = FloatVector.broadcast(FLOATS, w[w6 + k]);
      s60 = weight.fma(left, s60);
      s61 = weight.fma(right, s61);
      weight = FloatVector.broadcast(FLOATS, w[w7 + k]);
      s70 = weight.fma(left, s70);
      s71 = weight.fma(right, s71);
      weight = FloatVector.broadcast(FLOATS, w[w8 + k]);
      s80 = weight.fma(left, s80);
      s81 = weight.fma(right, s81);
      weight = FloatVector.broadcast(FLOATS, w[w9 + k]);
      s90 = weight.fma(left, s90);
      s91 = weight.fma(right, s91);
      weight = FloatVector.broadcast(FLOATS, w[w10 + k]);
      s100 = weight.fma(left, s100);
      s101 = weight.fma(right, s101);
      weight = FloatVector.broadcast(FLOATS, w[w11 + k]);
      s110 = weight.fma(left, s110);
      s111 = weight.fma(right, s111);
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
    ((FloatVector) VECTOR.cast(s60)).intoArray(c, c6);
    ((FloatVector) VECTOR.cast(s61)).intoArray(c, c6 + LENGTH);
    ((FloatVector) VECTOR.cast(s70)).intoArray(c, c7);
    ((FloatVector) VECTOR.cast(s71)).intoArray(c, c7 + LENGTH);
    ((FloatVector) VECTOR.cast(s80)).intoArray(c, c8);
    ((FloatVector) VECTOR.cast(s81)).intoArray(c, c8 + LENGTH);
    ((FloatVector) VECTOR.cast(s90)).intoArray(c, c9);
    ((FloatVector) VECTOR.cast(s91)).intoArray(c, c9 + LENGTH);
    ((FloatVector) VECTOR.cast(s100)).intoArray(c, c10);
    ((FloatVector) VECTOR.cast(s101)).intoArray(c, c10 + LENGTH);
    ((FloatVector) VECTOR.cast(s110)).intoArray(c, c11);
    ((FloatVector) VECTOR.cast(s111)).intoArray(c, c11 + LENGTH);
  }
}
