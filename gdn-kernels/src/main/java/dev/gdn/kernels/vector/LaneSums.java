package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;

/**
 * Sums over the lanes of several vectors at once. Two vectors become one, whose lanes take turns to
 * hold sums of pairs of the one's and of the other's; three such steps leave eight vectors' sums in
 * one, in four operations where a sum by itself takes a dozen.
 */
final class LaneSums {
  /** Vectors that are summed at once. */
  static final int VECTORS = 8;

  // Wide enough for eight sums in a vector, and not so wide that these would need further steps.
  private static final boolean MERGE = COUNT == 8 || COUNT == 16;

  private static final VectorShuffle<Float> SWAP_1 = VectorShuffle.fromOp(F, i -> i ^ 1);
  private static final VectorShuffle<Float> SWAP_2 = VectorShuffle.fromOp(F, i -> i ^ 2);
  private static final VectorShuffle<Float> SWAP_4 = VectorShuffle.fromOp(F, i -> i ^ 4 % COUNT);
  private static final VectorShuffle<Float> SWAP_8 = VectorShuffle.fromOp(F, i -> i ^ 8 % COUNT);
  private static final VectorMask<Float> ODD_1 = VectorMask.fromLong(F, 0xAAAA_AAAA_AAAA_AAAAL);
  private static final VectorMask<Float> ODD_2 = VectorMask.fromLong(F, 0xCCCC_CCCC_CCCC_CCCCL);
  private static final VectorMask<Float> ODD_4 = VectorMask.fromLong(F, 0xF0F0_F0F0_F0F0_F0F0L);

  private LaneSums() {}

  /**
   * sums[to + i] = the sum of vector i, which stands at {@code at + i * COUNT}, for eight vectors.
   *
   * @param sums has room for the larger of {@link #VECTORS} and a vector from {@code to} on
   */
  static void sum8(float[] vectors, int at, float[] sums, int to) {
    sum8(VECTORS, vectors, at, sums, to);
  }

  /**
   * The same, or nothing.
   *
   * @param count {@link #VECTORS}, or 0 for nothing
   */
  static void sum8(int count, float[] vectors, int at, float[] sums, int to) {
    if (MERGE) {
      merge(count, vectors, at, sums, to);
    } else {
      for (int i = 0; i < count; i++) {
        sums[to + i] = Lanes.sum(vectors, at + i * COUNT);
      }
    }
  }

  private static void merge(int count, float[] vectors, int at, float[] sums, int to) {
    if (count == 0) {
      return;
    }
    FloatVector v = FloatVector.fromArray(F, vectors, at);
    FloatVector w = FloatVector.fromArray(F, vectors, at + COUNT);
    FloatVector a = v.blend(w, ODD_1).add(w.blend(v, ODD_1).rearrange(SWAP_1));
    v = FloatVector.fromArray(F, vectors, at + 2 * COUNT);
    w = FloatVector.fromArray(F, vectors, at + 3 * COUNT);
    FloatVector b = v.blend(w, ODD_1).add(w.blend(v, ODD_1).rearrange(SWAP_1));
    v = FloatVector.fromArray(F, vectors, at + 4 * COUNT);
    w = FloatVector.fromArray(F, vectors, at + 5 * COUNT);
    FloatVector c = v.blend(w, ODD_1).add(w.blend(v, ODD_1).rearrange(SWAP_1));
    v = FloatVector.fromArray(F, vectors, at + 6 * COUNT);
    w = FloatVector.fromArray(F, vectors, at + 7 * COUNT);
    FloatVector d = v.blend(w, ODD_1).add(w.blend(v, ODD_1).rearrange(SWAP_1));
    v = a.blend(b, ODD_2).add(b.blend(a, ODD_2).rearrange(SWAP_2));
    w = c.blend(d, ODD_2).add(d.blend(c, ODD_2).rearrange(SWAP_2));
    a = v.blend(w, ODD_4).add(w.blend(v, ODD_4).rearrange(SWAP_4));
    if (COUNT == 16) {
      a = a.add(a.rearrange(SWAP_8));
    }
    a.intoArray(sums, to);
  }
}
