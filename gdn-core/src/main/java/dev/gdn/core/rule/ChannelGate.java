package dev.gdn.core.rule;

import dev.gdn.core.tensor.Rows;
import dev.gdn.core.tensor.TokenTensor;

/**
 * Steps 1 and 2 of the chunk form where each key channel i has a gate of its own: the cumulative
 * gate G_ri, and products of queries or keys with keys that carry their decay in each channel, Σ_i
 * x_ri k_ji e^(G_ri−G_ji). With x e^G and k e^(G_last−G) for queries and keys, and with these
 * products, the further steps are those of a chunk that does not decay (Kimi Linear, arXiv
 * 2510.26692, section 3).
 *
 * <p>Written as a product of x e^G and k e^(−G) that sum would overflow. So the chunk is cut into
 * sub-blocks of {@value #BLOCK} tokens. Between two of them, the decay is split at a reference
 * point that lies between its ends, the last token before the later block: e^(G_r−G_ref)
 * e^(G_ref−G_j), each at most 1. Within a block every pair of tokens has its own exponential.
 */
public final class ChannelGate {
  /** Tokens of a sub-block. */
  public static final int BLOCK = 16;

  private ChannelGate() {}

  /**
   * G_ri = Σ_{t≤r} (g_t + gk_ti), in float64, gates below {@link CumulativeGate#FLOOR} counting as
   * that.
   *
   * @param g {@code [·, 1, HV]}
   * @param gk {@code [·, HV, K]}
   * @param first token of the views with which the chunk begins
   * @param sums G, {@code [tokens, K]}
   */
  public static void sum(
      TokenTensor g, TokenTensor gk, int head, int first, double[] sums, int tokens) {
    int width = gk.width();
    for (int r = 0; r < tokens; r++) {
      float shared = Math.max(g.data()[g.at(first + r) + head], CumulativeGate.FLOOR);
      int from = gk.at(first + r, head);
      for (int i = 0; i < width; i++) {
        double before = r == 0 ? 0 : sums[(r - 1) * width + i];
        double own = Math.max(gk.data()[from + i], CumulativeGate.FLOOR);
        sums[r * width + i] = before + shared + own;
      }
    }
  }

  /**
   * y_r = x_r ∘ e^(G_r): queries and keys as they meet the state on entry to the chunk.
   *
   * @param x {@code [tokens, keyWidth]}
   * @param y {@code [tokens, keyWidth]}
   */
  public static void fromEntry(float[] x, double[] sums, float[] y, int tokens, int keyWidth) {
    for (int i = 0; i < tokens * keyWidth; i++) {
      y[i] = x[i] * (float) Math.exp(sums[i]);
    }
  }

  /**
   * y_j = k_j ∘ e^(G_ref−G_j): keys as they are seen from a later token {@code reference}, for the
   * tokens before {@code end}.
   *
   * @param k {@code [tokens, keyWidth]}
   * @param y {@code [tokens, keyWidth]}
   * @param reference at least {@code end - 1}
   */
  public static void seenFrom(
      int reference, float[] k, double[] sums, float[] y, int end, int keyWidth) {
    for (int j = 0; j < end; j++) {
      for (int i = 0; i < keyWidth; i++) {
        double decay = sums[reference * keyWidth + i] - sums[j * keyWidth + i];
        y[j * keyWidth + i] = k[j * keyWidth + i] * (float) Math.exp(decay);
      }
    }
  }

  /**
   * Σ_i x_ri k_ji e^(G_ri−G_ji) for j ≤ r.
   *
   * @param x queries or keys, {@code [tokens, keyWidth]}
   * @param k {@code [tokens, keyWidth]}
   * @param sums G, {@code [tokens, keyWidth]}
   * @param products {@code [chunk, chunk]}; entries with j ≤ r &lt; tokens are written
   * @param scratch {@code [tokens + 1, keyWidth]}
   */
  public static void products(
      float[] x,
      float[] k,
      double[] sums,
      float[] products,
      int tokens,
      int chunk,
      int keyWidth,
      float[] scratch) {
    for (int block = 0; block < tokens; block += BLOCK) {
      int end = Math.min(block + BLOCK, tokens);
      seenFrom(Math.max(block - 1, 0), k, sums, scratch, block, keyWidth);
      for (int r = block; r < end; r++) {
        int row = tokens * keyWidth;
        for (int i = 0; i < keyWidth && block > 0; i++) {
          double decay = sums[r * keyWidth + i] - sums[(block - 1) * keyWidth + i];
          scratch[row + i] = x[r * keyWidth + i] * (float) Math.exp(decay);
        }
        for (int j = 0; j < block; j++) {
          products[r * chunk + j] = Rows.dot(scratch, row, scratch, j * keyWidth, keyWidth);
        }
        for (int j = block; j <= r; j++) {
          products[r * chunk + j] = product(x, r * keyWidth, k, j * keyWidth, sums, keyWidth);
        }
      }
    }
  }

  private static float product(float[] x, int r, float[] k, int j, double[] sums, int keyWidth) {
    float sum = 0;
    for (int i = 0; i < keyWidth; i++) {
      sum += x[r + i] * k[j + i] * (float) Math.exp(sums[r + i] - sums[j + i]);
    }
    return sum;
  }
}
