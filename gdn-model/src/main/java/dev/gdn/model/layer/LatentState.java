package dev.gdn.model.layer;

import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.kernel.KeyValueType;
import dev.gdn.model.config.LatentAttentionConfig;
import dev.gdn.model.file.NumberReader;
import dev.gdn.model.file.NumberWriter;
import java.io.IOException;
import java.util.function.ObjLongConsumer;

/**
 * What a latent attention layer remembers: grows with the sequence.
 *
 * @param cache of each token the latent vector and the key that all heads share
 */
record LatentState(KeyValueCache cache) implements LayerState {
  static LatentState empty(LatentAttentionConfig c, KeyValueType type) {
    return new LatentState(KeyValueCache.ofOneVector(type, c.cacheWidth()));
  }

  @Override
  public void clear() {
    cache.clear();
  }

  @Override
  public LatentState fork() {
    return new LatentState(cache.fork());
  }

  @Override
  public void restore(LayerState other) {
    cache.restore(((LatentState) other).cache);
  }

  @Override
  public void forEachBlock(ObjLongConsumer<Object> block) {
    CacheContent.forEachBlock(cache, block);
  }

  @Override
  public long storedBytes(int tokens) {
    return CacheContent.storedBytes(cache, tokens);
  }

  @Override
  public void write(NumberWriter out) throws IOException {
    CacheContent.write(cache, out);
  }

  @Override
  public void read(NumberReader in, int tokens) throws IOException {
    CacheContent.read(cache, in, tokens);
  }
}
