package dev.gdn.model.layer;

import dev.gdn.core.kernel.CachePage;
import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.kernel.KeyValueType;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.file.NumberReader;
import dev.gdn.model.file.NumberWriter;
import java.io.IOException;
import java.util.function.ObjLongConsumer;

/**
 * What a softmax attention layer remembers: grows with the sequence.
 *
 * @param cache the keys and values so far
 */
record AttentionState(KeyValueCache cache) implements LayerState {
  static AttentionState empty(AttentionConfig c, KeyValueType type) {
    return new AttentionState(
        new KeyValueCache(type, c.keyValueHeads(), c.headWidth(), c.headWidth()));
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
    for (int p = 0; p < cache.pages(); p++) {
      block.accept(cache.keyPage(p), bytes(cache.keyPage(p).length()));
      block.accept(cache.valuePage(p), bytes(cache.valuePage(p).length()));
    }
  }

  @Override
  public long storedBytes(int tokens) {
    return bytes((long) tokens * cache.heads() * (cache.keyWidth() + cache.valueWidth()));
  }

  private long bytes(long numbers) {
    return numbers * cache.type().bytes();
  }

  /** Handles {@code count} numbers of a page from {@code at} on. */
  @FunctionalInterface
  private interface Run {
    void handle(CachePage page, int at, int count) throws IOException;
  }

  // Page by page, for each head its keys, then its values, without the rows that hold no token.
  private void forEachRun(Run run) throws IOException {
    for (int p = 0; p < cache.pages(); p++) {
      int used = Math.min(KeyValueCache.PAGE, cache.length() - p * KeyValueCache.PAGE);
      for (int h = 0; h < cache.heads(); h++) {
        int row = h * KeyValueCache.PAGE;
        run.handle(cache.keyPage(p), row * cache.keyWidth(), used * cache.keyWidth());
        run.handle(cache.valuePage(p), row * cache.valueWidth(), used * cache.valueWidth());
      }
    }
  }

  @Override
  public void write(NumberWriter out) throws IOException {
    forEachRun(
        (page, at, count) -> {
          switch (page) {
            case CachePage.Floats floats -> out.floats(floats.data(), at, count);
            case CachePage.Halves halves -> out.shorts(halves.data(), at, count);
          }
        });
  }

  @Override
  public void read(NumberReader in, int tokens) throws IOException {
    cache.clear();
    cache.extend(tokens);
    forEachRun(
        (page, at, count) -> {
          switch (page) {
            case CachePage.Floats floats -> in.floats(floats.data(), at, count);
            case CachePage.Halves halves -> in.shorts(halves.data(), at, count);
          }
        });
  }
}
