package dev.gdn.model.layer;

import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.kernel.KeyValueType;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.IndexerConfig;
import dev.gdn.model.file.NumberReader;
import dev.gdn.model.file.NumberWriter;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.ObjLongConsumer;

/**
 * What a sparse attention layer remembers: grows with the sequence.
 *
 * @param cache the keys and values so far
 * @param blocks the indexer's key of each whole block of tokens, in float32
 * @param partial sum of the indexer's keys of the tokens since, {@code [head width]}
 * @param blockTokens tokens of a block
 */
record IndexedAttentionState(
    KeyValueCache cache, KeyValueCache blocks, float[] partial, int blockTokens)
    implements LayerState {
  static IndexedAttentionState empty(AttentionConfig c, IndexerConfig indexer, KeyValueType type) {
    return new IndexedAttentionState(
        new KeyValueCache(type, c.keyValueHeads(), c.headWidth(), c.headWidth()),
        KeyValueCache.ofOneVector(KeyValueType.F32, indexer.headWidth()),
        new float[indexer.headWidth()],
        indexer.blockTokens());
  }

  @Override
  public void clear() {
    cache.clear();
    blocks.clear();
    Arrays.fill(partial, 0);
  }

  @Override
  public IndexedAttentionState fork() {
    return new IndexedAttentionState(cache.fork(), blocks.fork(), partial.clone(), blockTokens);
  }

  // Into the same array and caches: the blocks of a forward pass hold them.
  @Override
  public void restore(LayerState other) {
    IndexedAttentionState from = (IndexedAttentionState) other;
    cache.restore(from.cache);
    blocks.restore(from.blocks);
    System.arraycopy(from.partial, 0, partial, 0, partial.length);
  }

  @Override
  public void forEachBlock(ObjLongConsumer<Object> block) {
    CacheContent.forEachBlock(cache, block);
    CacheContent.forEachBlock(blocks, block);
    block.accept(partial, (long) partial.length * Float.BYTES);
  }

  @Override
  public long storedBytes(int tokens) {
    return CacheContent.storedBytes(cache, tokens)
        + CacheContent.storedBytes(blocks, tokens / blockTokens)
        + (long) partial.length * Float.BYTES;
  }

  @Override
  public void write(NumberWriter out) throws IOException {
    CacheContent.write(cache, out);
    CacheContent.write(blocks, out);
    out.floats(partial, 0, partial.length);
  }

  @Override
  public void read(NumberReader in, int[] tokens) throws IOException {
    CacheContent.read(cache, in, tokens.length);
    CacheContent.read(blocks, in, tokens.length / blockTokens);
    in.floats(partial, 0, partial.length);
  }
}
