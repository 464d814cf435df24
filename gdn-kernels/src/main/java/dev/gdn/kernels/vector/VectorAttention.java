package dev.gdn.kernels.vector;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.Attention;
import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.tensor.TokenTensor;

/** Softmax attention: many queries in tiles, few as streams over the cache. */
final class VectorAttention implements Attention {
  // With fewer queries for a head of the cache, most of a tile would be empty.
  private static final int TILE_QUERIES = 8;

  private final Workers workers;
  private final AttentionTiles[] tiles;
  private final AttentionStreams streams;
  private final Workers.Task tileTask = this::runTiles;

  // The arguments of the call in progress.
  private TokenTensor q;
  private KeyValueCache cache;
  private float scale;
  private TokenTensor o;
  private int tokens;
  private int block;

  VectorAttention(Workers workers) {
    this.workers = workers;
    this.streams = new AttentionStreams(workers);
    this.tiles = new AttentionTiles[workers.threads()];
    for (int w = 0; w < tiles.length; w++) {
      tiles[w] = new AttentionTiles();
    }
  }

  @Override
  public void attend(TokenTensor q, KeyValueCache cache, float scale, TokenTensor o, int tokens) {
    int heads = q.heads();
    cache.check(q, o, tokens);
    int group = heads / cache.heads();
    if ((long) tokens * group < TILE_QUERIES || tokens == 1) {
      for (int t = 0; t < tokens; t++) {
        streams.attend(q, cache, scale, o, t, cache.length() - tokens + t + 1);
      }
      return;
    }
    this.q = q;
    this.cache = cache;
    this.scale = scale;
    this.o = o;
    this.tokens = tokens;
    block = Math.max(1, AttentionTiles.QUERIES / group);
    workers.run(TokenBlocks.count(tokens, block) * cache.heads(), tileTask);
  }

  // Late tokens see most keys: they go first, so that the workers end together.
  private void runTiles(int part, int worker) {
    int blocks = TokenBlocks.count(tokens, block);
    int first = (blocks - 1 - part / cache.heads()) * block;
    int count = Math.min(block, tokens - first);
    int position = cache.length() - tokens + first;
    tiles[worker].attend(q, cache, part % cache.heads(), scale, o, first, count, position);
  }
}
