package dev.gdn.model.layer;

import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.tensor.TokenTensor;

/**
 * Attention to the tokens that an indexer chooses. As long as these are all, it is attention to
 * all; after that, the keys and values of each token's choice are gathered.
 */
final class SparseAttention {
  private final BlockIndexer indexer;
  private final Kernels kernels;
  private final KeyValueCache cache;
  private final KeyValueCache gathered;

  SparseAttention(BlockIndexer indexer, Kernels kernels, KeyValueCache cache) {
    this.indexer = indexer;
    this.kernels = kernels;
    this.cache = cache;
    this.gathered =
        new KeyValueCache(cache.type(), cache.heads(), cache.keyWidth(), cache.valueWidth());
  }

  /**
   * Appends the next tokens to the cache, and attends from them.
   *
   * @param x {@code [tokens, hidden]}, normalised
   * @param q {@code [tokens, heads, width]}, turned
   * @param k {@code [tokens, key-value heads, width]}, turned
   * @param v of the shape of k
   * @param o of the shape of q, overwritten
   */
  void attend(
      TokenTensor x,
      TokenTensor q,
      TokenTensor k,
      TokenTensor v,
      float scale,
      TokenTensor o,
      int tokens) {
    int position = cache.length();
    int all = indexer.tokensThatSeeAll(position, tokens);
    indexer.take(x, tokens);
    for (int t = 0; t < all; t++) {
      indexer.addKey(t, position + t);
    }
    if (all > 0) {
      cache.append(k, v, all);
      kernels.attention().attend(q, cache, scale, o, all);
    }
    cache.append(k.from(all), v.from(all), tokens - all);
    for (int t = all; t < tokens; t++) {
      indexer.addKey(t, position + t);
      int count = indexer.choose(t, position + t);
      gathered.clear();
      gathered.append(cache, indexer.chosen(), count);
      kernels.attention().attend(q.from(t), gathered, scale, o.from(t), 1);
    }
  }
}
