package dev.gdn.model.layer;

import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.kernel.KeyValueType;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.LatentAttentionConfig;
import dev.gdn.model.file.NumberReader;
import dev.gdn.model.file.NumberWriter;
import java.io.IOException;
import java.util.function.ObjLongConsumer;

/**
 * What a softmax or latent attention layer remembers: grows with the sequence.
 *
 * @param cache the keys and values so far
 */
record AttentionState(KeyValueCache cache) implements LayerState {
  static AttentionState empty(AttentionConfig c, KeyValueType type) {
    return new AttentionState(
        new KeyValueCache(type, c.keyValueHeads(), c.headWidth(), c.headWidth()));
  }

  /**
   * Of latent attention: one vector for each token, the latent and the key that all heads share.
   */
  static AttentionState latent(LatentAttentionConfig c, KeyValueType type) {
    return new AttentionState(KeyValueCache.ofOneVector(type, c.cacheWidth()));
  }

  @Override
  public void clear() {
    cache.clear();
  }

  @Override
  public AttentionState fork() {
    return new AttentionState(cache.fork());
  }

  @Override
  public void restore(LayerState other) {
    cache.restore(((AttentionState) other).cache);
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
  public void read(NumberReader in, int[] tokens) throws IOException {
    CacheContent.read(cache, in, tokens.length);
  }
}
