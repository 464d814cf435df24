package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;

import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * Gates per key channel in a chunk of one value head: copies of the queries and keys that have
 * decayed in each channel, and their products with the decay between the two tokens.
 *
 * <p>The decay between two tokens is the product of those in between, and is multiplied up token by
 * token: no difference of sums is formed, nothing is divided, and nothing but the gates themselves
 * is exponentiated, so that any gate from minus infinity to 0 is safe. Reading a chunk's products
 * costs about C K multiply-adds for each token, few beside the 3 K V of the state. The sub-blocks
 * of {@link dev.gdn.core.rule.ChannelGate} would save a part of the multiplications by a decay, and
 * an exponential is dearer than these.
 */
final class ChannelDecay {
  // Earlier tokens that are multiplied with a token at once: their products with its key and with
  // its query are as many vectors as LaneSums takes.
  private static final int TOKENS = LaneSums.VECTORS / 2;

  /** Q and K as they meet the state before the chunk, {@code [rows, stride]}. */
  float[] entryQueries = {};

  float[] entryKeys = {};

  /** K as it is seen from the last token, {@code [rows, stride]}. */
  float[] exitKeys = {};

  /** What is left of each row of the state after the chunk, {@code [stride]}. */
  float[] overall = {};

  // Elements of a row, those of ChunkKeys.
  private int stride;
  // e^(g+gk), [rows, stride].
  private float[] decays = {};
  // K as it is seen from the token at hand, [rows, stride].
  private float[] seen = {};
  private final float[] lanes = new float[LaneSums.VECTORS * COUNT];
  private final float[] sums = new float[Math.max(LaneSums.VECTORS, COUNT)];

  /** Makes room for chunks of {@code rows} tokens, whole tiles. */
  void reserve(int rows, int stride) {
    this.stride = stride;
    if (entryKeys.length < rows * stride) {
      entryQueries = new float[rows * stride];
      entryKeys = new float[rows * stride];
      exitKeys = new float[rows * stride];
      decays = new float[rows * stride];
      seen = new float[rows * stride];
    }
    if (overall.length < stride) {
      overall = new float[stride];
    }
  }

  /**
   * Computes everything for a value head; the products go into {@code decay}, whose betas are
   * there.
   *
   * @param rows {@code tokens}, rounded up to whole tiles
   */
  void load(
      RuleCall call, ChunkKeys keys, ChunkDecay decay, int head, int first, int tokens, int rows) {
    exponentials(call, head, first, tokens);
    copies(keys, tokens, rows);
    Arrays.fill(seen, 0, rows * stride, 0f);
    float scale = call.parameters().scale();
    for (int r = 0; r < tokens; r++) {
      Arrays.fill(decay.system, r * decay.stride, (r + 1) * decay.stride, 0f);
      Arrays.fill(decay.scores, r * decay.stride, (r + 1) * decay.stride, 0f);
      for (int j = 0; j < r; j += TOKENS) {
        multiply(keys, r, j);
        LaneSums.sum8(lanes, 0, sums, 0);
        store(decay, r, j, scale);
      }
      int at = r * stride;
      System.arraycopy(keys.keys, at, seen, at, stride);
      decay.scores[r * decay.stride + r] =
          scale * Lanes.dot(keys.queries, at, keys.keys, at, call.keyWidth());
    }
    Arrays.fill(decay.system, tokens * decay.stride, rows * decay.stride, 0f);
    Arrays.fill(decay.scores, tokens * decay.stride, rows * decay.stride, 0f);
  }

  private void store(ChunkDecay decay, int r, int j, float scale) {
    float beta = -decay.beta[r];
    int to = r * decay.stride + j;
    int count = Math.min(TOKENS, r - j);
    for (int i = 0; i < count; i++) {
      decay.system[to + i] = beta * sums[i];
      decay.scores[to + i] = scale * sums[TOKENS + i];
    }
  }

  private void exponentials(RuleCall call, int head, int first, int tokens) {
    TokenTensor g = call.g();
    TokenTensor gk = call.gates().gk();
    int width = gk.width();
    for (int t = 0; t < tokens; t++) {
      float shared = g.data()[g.at(first + t) + head];
      int from = gk.at(first + t, head);
      int to = t * stride;
      for (int i = 0; i < width; i++) {
        decays[to + i] = shared + gk.data()[from + i];
      }
      Arrays.fill(decays, to + width, to + stride, 0f);
    }
    Exponentials.ofNegative(decays, 0, COUNT, tokens * stride / COUNT);
  }

  private void copies(ChunkKeys keys, int tokens, int rows) {
    Arrays.fill(overall, 0, stride, 1f);
    for (int t = 0; t < tokens; t++) {
      multiply(decays, t * stride, overall, 0, overall, 0, stride);
      multiply(keys.keys, t * stride, overall, 0, entryKeys, t * stride, stride);
      multiply(keys.queries, t * stride, overall, 0, entryQueries, t * stride, stride);
    }
    // What is left after the later tokens, for a while in the place of what is left of the state.
    float[] left = seen;
    Arrays.fill(left, 0, stride, 1f);
    for (int t = tokens - 1; t >= 0; t--) {
      multiply(keys.keys, t * stride, left, 0, exitKeys, t * stride, stride);
      multiply(decays, t * stride, left, 0, left, 0, stride);
    }
    Arrays.fill(entryKeys, tokens * stride, rows * stride, 0f);
    Arrays.fill(entryQueries, tokens * stride, rows * stride, 0f);
  }

  // z_i = x_i y_i, of whole vectors.
  private static void multiply(
      float[] x, int xAt, float[] y, int yAt, float[] z, int zAt, int count) {
    for (int i = 0; i < count; i += COUNT) {
      FloatVector product = FloatVector.fromArray(F, x, xAt + i);
      product.mul(FloatVector.fromArray(F, y, yAt + i)).intoArray(z, zAt + i);
    }
  }

  // Lets the keys of four tokens from j on decay by token r, and multiplies them with its key and
  // its query: lanes of four products with the one, then of four with the other.
  private void multiply(ChunkKeys keys, int r, int j) {
    float[] w = seen;
    float[] d = decays;
    int width = stride;
    int first = j * width;
    int second = first + width;
    int third = second + width;
    int fourth = third + width;
    int row = r * width;
    float[] k = keys.keys;
    float[] q = keys.queries;
    FloatVector k0 = FloatVector.zero(F);
    FloatVector k1 = k0;
    FloatVector k2 = k0;
    FloatVector k3 = k0;
    FloatVector q0 = k0;
    FloatVector q1 = k0;
    FloatVector q2 = k0;
    FloatVector q3 = k0;
    for (int i = 0; i < width; i += COUNT) {
      FloatVector decay = FloatVector.fromArray(F, d, row + i);
      FloatVector key = FloatVector.fromArray(F, k, row + i);
      FloatVector query = FloatVector.fromArray(F, q, row + i);
      FloatVector x = FloatVector.fromArray(F, w, first + i).mul(decay);
      x.intoArray(w, first + i);
      k0 = x.fma(key, k0);
      q0 = x.fma(query, q0);
      x = FloatVector.fromArray(F, w, second + i).mul(decay);
      x.intoArray(w, second + i);
      k1 = x.fma(key, k1);
      q1 = x.fma(query, q1);
      x = FloatVector.fromArray(F, w, third + i).mul(decay);
      x.intoArray(w, third + i);
      k2 = x.fma(key, k2);
      q2 = x.fma(query, q2);
      x = FloatVector.fromArray(F, w, fourth + i).mul(decay);
      x.intoArray(w, fourth + i);
      k3 = x.fma(key, k3);
      q3 = x.fma(query, q3);
    }
    k0.intoArray(lanes, 0);
    k1.intoArray(lanes, COUNT);
    k2.intoArray(lanes, 2 * COUNT);
    k3.intoArray(lanes, 3 * COUNT);
    q0.intoArray(lanes, 4 * COUNT);
    q1.intoArray(lanes, 5 * COUNT);
    q2.intoArray(lanes, 6 * COUNT);
    q3.intoArray(lanes, 7 * COUNT);
  }
}
