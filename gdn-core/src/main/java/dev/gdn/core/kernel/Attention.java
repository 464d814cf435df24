package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;

/** Causal softmax attention that streams over a KV cache (online softmax). */
public interface Attention {
  /**
   * Attends from {@code tokens} new tokens, whose keys and values the cache already holds as its
   * last ones, to everything up to themselves: o[t, h] = Σ_j softmax_j(scale · q[t, h]·k_j) v_j.
   *
   * @param q {@code [tokens, heads, key width]}; heads is a multiple of the cache's, and query head
   *     h reads cache head h / (heads / cache heads)
   * @param cache at least {@code tokens} long
   * @param scale multiplies the scores
   * @param o {@code [tokens, heads, value width]}; may be the same view as {@code q} where the
   *     widths agree
   */
  void attend(TokenTensor q, KeyValueCache cache, float scale, TokenTensor o, int tokens);
}
