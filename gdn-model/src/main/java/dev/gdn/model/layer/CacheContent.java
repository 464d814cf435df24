package dev.gdn.model.layer;

import dev.gdn.core.kernel.CachePage;
import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.model.file.NumberReader;
import dev.gdn.model.file.NumberWriter;
import java.io.IOException;
import java.util.function.ObjLongConsumer;

/** What a KV cache holds, as states show and store it. */
final class CacheContent {
  private CacheContent() {}

  /** Handles {@code count} numbers of a page from {@code at} on. */
  @FunctionalInterface
  private interface Run {
    void handle(CachePage page, int at, int count) throws IOException;
  }

  /** Shows each page and its size in bytes. */
  static void forEachBlock(KeyValueCache cache, ObjLongConsumer<Object> block) {
    for (int p = 0; p < cache.pages(); p++) {
      block.accept(cache.keyPage(p), bytes(cache, cache.keyPage(p).length()));
      if (!cache.isOneVector()) {
        block.accept(cache.valuePage(p), bytes(cache, cache.valuePage(p).length()));
      }
    }
  }

  /** Bytes that {@link #write} writes of so many tokens. */
  static long storedBytes(KeyValueCache cache, int tokens) {
    int width = cache.keyWidth() + (cache.isOneVector() ? 0 : cache.valueWidth());
    return bytes(cache, (long) tokens * cache.heads() * width);
  }

  private static long bytes(KeyValueCache cache, long numbers) {
    return numbers * cache.type().bytes();
  }

  // Page by page, for each head its keys, then its values, without the rows that hold no token.
  private static void forEachRun(KeyValueCache cache, Run run) throws IOException {
    for (int p = 0; p < cache.pages(); p++) {
      int used = Math.min(KeyValueCache.PAGE, cache.length() - p * KeyValueCache.PAGE);
      for (int h = 0; h < cache.heads(); h++) {
        int row = h * KeyValueCache.PAGE;
        run.handle(cache.keyPage(p), row * cache.keyWidth(), used * cache.keyWidth());
        if (!cache.isOneVector()) {
          run.handle(cache.valuePage(p), row * cache.valueWidth(), used * cache.valueWidth());
        }
      }
    }
  }

  static void write(KeyValueCache cache, NumberWriter out) throws IOException {
    forEachRun(
        cache,
        (page, at, count) -> {
          switch (page) {
            case CachePage.Floats floats -> out.floats(floats.data(), at, count);
            case CachePage.Halves halves -> out.halves(halves.data(), at, count);
          }
        });
  }

  /** Fills a cache with so many tokens that were written. */
  static void read(KeyValueCache cache, NumberReader in, int tokens) throws IOException {
    cache.clear();
    cache.extend(tokens);
    forEachRun(
        cache,
        (page, at, count) -> {
          switch (page) {
            case CachePage.Floats floats -> in.floats(floats.data(), at, count);
            case CachePage.Halves halves -> in.halves(halves.data(), at, count);
          }
        });
  }
}
