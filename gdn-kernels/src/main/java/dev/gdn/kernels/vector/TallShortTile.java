package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.INTS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.SHORTS;
import static dev.gdn.kernels.vector.ShortTile.HALF;
import static dev.gdn.kernels.vector.ShortTile.SUMS;
import static dev.gdn.kernels.vector.ShortTile.VECTOR;
import static dev.gdn.kernels.vector.TokenPanels.WIDTH;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;

/** {@link ShortTile#sumTwo} for twelve rows, where the machine has 32 registers. */
final class TallShortTile {
  private TallShortTile() {}

  /**
   * Sums every block of every row for two panels of tokens.
   *
   * @param w weights, each twice in one int, row r from {@code w0 + r * wStride} on
   * @param x tokens, two in one int, {@code [blocks, 32, LENGTH]} from {@code x0} and {@code x1} on
   * @param sums {@code [blocks, 2, 12, WIDTH]} from {@code sums0} on
   */
  static void sumTwo(
      int[] w, int w0, int wStride, int[] x, int x0, int x1, int blocks, short[] sums, int sums0) {
    if (blocks == 0) {
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
    for (int b = 0; b < blocks; b++) {
      int column = b * BLOCK;
      int left = x0 + column * LENGTH;
      int right = x1 + column * LENGTH;
      ShortVector s00 = ShortVector.zero(SHORTS);
      ShortVector s01 = s00;
      ShortVector s10 = s00;
      ShortVector s11 = s00;
      ShortVector s20 = s00;
      ShortVector s21 = s00;
      ShortVector s30 = s00;
      ShortVector s31 = s00;
      ShortVector s40 = s00;
      ShortVector s41 = s00;
      ShortVector s50 = s00;
      ShortVector s51 = s00;
      ShortVector s60 = s00;
      ShortVector s61 = s00;
      ShortVector s70 = s00;
      ShortVector s71 = s00;
      ShortVector s80 = s00;
      ShortVector s81 = s00;
      ShortVector s90 = s00;
      ShortVector s91 = s00;
      ShortVector s100 = s00;
      ShortVector s101 = s00;
      ShortVector s110 = s00;
      ShortVector s111 = s00;
      for (int k = 0; k < BLOCK; k++) {
        ShortVector t0 = IntVector.fromArray(INTS, x, left + k * LENGTH).reinterpretAsShorts();
        ShortVector t1 = IntVector.fromArray(INTS, x, right + k * LENGTH).reinterpretAsShorts();
        ShortVector weight = IntVector.broadcast(INTS, w[w0 + column + k]).reinterpretAsShorts();
        s00 = weight.mul(t0).add(s00);
        s01 = weight.mul(t1).add(s01);
        weight = IntVector.broadcast(INTS, w[w1 + column + k]).reinterpretAsShorts();
        s10 = weight.mul(t0).add(s10);
        s11 = weight.mul(t1).add(s11);
        weight = IntVector.broadcast(INTS, w[w2 + column + k]).reinterpretAsShorts();
        s20 = weight.mul(t0).add(s20);
        s21 = weight.mul(t1).add(s21);
        weight = IntVector.broadcast(INTS, w[w3 + column + k]).reinterpretAsShorts();
        s30 = weight.mul(t0).add(s30);
        s31 = weight.mul(t1).add(s31);
        weight = IntVector.broadcast(INTS, w[w4 + column + k]).reinterpretAsShorts();
        s40 = weight.mul(t0).add(s40);
        s41 = weight.mul(t1).add(s41);
        weight = IntVector.broadcast(INTS, w[w5 + column + k]).reinterpretAsShorts();
        s50 = weight.mul(t0).add(s50);
        s51 = weight.mul(t1).add(s51);
        weight = IntVector.broadcast(INTS, w[w6 + column + k]).reinterpretAsShorts();
        s60 = weight.mul(t0).add(s60);
        s61 = weight.mul(t1).add(s61);
        weight = IntVector.broadcast(INTS, w[w7 + column + k]).reinterpretAsShorts();
        s70 = weight.mul(t0).add(s70);
        s71 = weight.mul(t1).add(s71);
        weight = IntVector.broadcast(INTS, w[w8 + column + k]).reinterpretAsShorts();
        s80 = weight.mul(t0).add(s80);
        s81 = weight.mul(t1).add(s81);
        weight = IntVector.broadcast(INTS, w[w9 + column + k]).reinterpretAsShorts();
        s90 = weight.mul(t0).add(s90);
        s91 = weight.mul(t1).add(s91);
        weight = IntVector.broadcast(INTS, w[w10 + column + k]).reinterpretAsShorts();
        s100 = weight.mul(t0).add(s100);
        s101 = weight.mul(t1).add(s101);
        weight = IntVector.broadcast(INTS, w[w11 + column + k]).reinterpretAsShorts();
        s110 = weight.mul(t0).add(s110);
        s111 = weight.mul(t1).add(s111);
      }
      int to = sums0 + b * SUMS;
      ((ShortVector) VECTOR.cast(s00)).intoArray(sums, to);
      ((ShortVector) VECTOR.cast(s10)).intoArray(sums, to + 1 * WIDTH);
      ((ShortVector) VECTOR.cast(s20)).intoArray(sums, to + 2 * WIDTH);
      ((ShortVector) VECTOR.cast(s30)).intoArray(sums, to + 3 * WIDTH);
      ((ShortVector) VECTOR.cast(s40)).intoArray(sums, to + 4 * WIDTH);
      ((ShortVector) VECTOR.cast(s50)).intoArray(sums, to + 5 * WIDTH);
      ((ShortVector) VECTOR.cast(s60)).intoArray(sums, to + 6 * WIDTH);
      ((ShortVector) VECTOR.cast(s70)).intoArray(sums, to + 7 * WIDTH);
      ((ShortVector) VECTOR.cast(s80)).intoArray(sums, to + 8 * WIDTH);
      ((ShortVector) VECTOR.cast(s90)).intoArray(sums, to + 9 * WIDTH);
      ((ShortVector) VECTOR.cast(s100)).intoArray(sums, to + 10 * WIDTH);
      ((ShortVector) VECTOR.cast(s110)).intoArray(sums, to + 11 * WIDTH);
      ((ShortVector) VECTOR.cast(s01)).intoArray(sums, to + HALF);
      ((ShortVector) VECTOR.cast(s11)).intoArray(sums, to + HALF + 1 * WIDTH);
      ((ShortVector) VECTOR.cast(s21)).intoArray(sums, to + HALF + 2 * WIDTH);
      ((ShortVector) VECTOR.cast(s31)).intoArray(sums, to + HALF + 3 * WIDTH);
      ((ShortVector) VECTOR.cast(s41)).intoArray(sums, to + HALF + 4 * WIDTH);
      ((ShortVector) VECTOR.cast(s51)).intoArray(sums, to + HALF + 5 * WIDTH);
      ((ShortVector) VECTOR.cast(s61)).intoArray(sums, to + HALF + 6 * WIDTH);
      ((ShortVector) VECTOR.cast(s71)).intoArray(sums, to + HALF + 7 * WIDTH);
      ((ShortVector) VECTOR.cast(s81)).intoArray(sums, to + HALF + 8 * WIDTH);
      ((ShortVector) VECTOR.cast(s91)).intoArray(sums, to + HALF + 9 * WIDTH);
      ((ShortVector) VECTOR.cast(s101)).intoArray(sums, to + HALF + 10 * WIDTH);
      ((ShortVector) VECTOR.cast(s111)).intoArray(sums, to + HALF + 11 * WIDTH);
    }
  }
}
