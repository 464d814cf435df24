package dev.gdn.core.rule;

import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;

/**
 * What the gates of one value head make of a chunk's queries and keys and of their products, so
 * that the further steps are the same for every kind of gate. With gates per head these steps take
 * queries, keys and products as they are, and multiply by the decays. With gates per key channel
 * they take copies that have decayed, and the decays are 1.
 */
final class ChunkDecays {
  /** Q and K as they meet the state on entry, and K as it is seen from the last token. */
  float[] entryQueries;

  float[] entryKeys;
  float[] exitKeys;

  /** K Kᵀ and Q Kᵀ, {@code [C, C]}. */
  float[] keyKey;

  float[] queryKey;

  /** e^(G_r−G_j) for j ≤ r, {@code [C, C]}, and e^(G_r), {@code [C]}. */
  final float[] decays;

  final float[] entryDecays;

  private final int chunk;
  private final int keyWidth;
  private final double[] sums;
  private final Copies copies;

  /** The copies: {@code [C, K]}, and {@code [C, C]}. */
  private static final class Copies {
    final double[] sums;
    final float[] entryQueries;
    final float[] entryKeys;
    final float[] exitKeys;
    final float[] keyKey;
    final float[] queryKey;
    final float[] scratch;

    Copies(int chunk, int keyWidth) {
      sums = new double[chunk * keyWidth];
      entryQueries = new float[chunk * keyWidth];
      entryKeys = new float[chunk * keyWidth];
      exitKeys = new float[chunk * keyWidth];
      keyKey = new float[chunk * chunk];
      queryKey = new float[chunk * chunk];
      scratch = new float[(chunk + 1) * keyWidth];
    }
  }

  ChunkDecays(int chunk, int keyWidth) {
    this.chunk = chunk;
    this.keyWidth = keyWidth;
    decays = new float[chunk * chunk];
    entryDecays = new float[chunk];
    sums = new double[chunk];
    copies = new Copies(chunk, keyWidth);
  }

  /** Gates per head: the arrays of the key head are taken as they are. */
  void perHead(
      Gates gates, int head, int first, float[] q, float[] k, float[] kk, float[] qk, int tokens) {
    entryQueries = q;
    entryKeys = k;
    exitKeys = k;
    keyKey = kk;
    queryKey = qk;
    TokenTensor g = gates.g();
    CumulativeGate.sum(g.data(), g.at(first) + head, g.tokenStride(), sums, tokens);
    CumulativeGate.between(sums, decays, tokens, chunk);
    CumulativeGate.fromEntry(sums, entryDecays, tokens);
  }

  /** Gates per key channel. */
  void perKey(Gates gates, int head, int first, float[] q, float[] k, int tokens) {
    entryQueries = copies.entryQueries;
    entryKeys = copies.entryKeys;
    exitKeys = copies.exitKeys;
    keyKey = copies.keyKey;
    queryKey = copies.queryKey;
    double[] sums = copies.sums;
    ChannelGate.sum(gates.g(), gates.gk(), head, first, sums, tokens);
    ChannelGate.fromEntry(q, sums, entryQueries, tokens, keyWidth);
    ChannelGate.fromEntry(k, sums, entryKeys, tokens, keyWidth);
    ChannelGate.seenFrom(tokens - 1, k, sums, exitKeys, tokens, keyWidth);
    ChannelGate.products(k, k, sums, keyKey, tokens, chunk, keyWidth, copies.scratch);
    ChannelGate.products(q, k, sums, queryKey, tokens, chunk, keyWidth, copies.scratch);
    Arrays.fill(decays, 1);
    Arrays.fill(entryDecays, 1);
  }

  /** e^(G_i) of the last token, {@code [K]}, after {@link #perKey}. */
  void stateDecays(float[] target, int tokens) {
    for (int i = 0; i < keyWidth; i++) {
      target[i] = (float) Math.exp(copies.sums[(tokens - 1) * keyWidth + i]);
    }
  }
}
