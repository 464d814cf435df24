package dev.gdn.model.bench;

import dev.gdn.model.LanguageModel;

/** The tokens that benchmarks read: the same in every run, spread over the vocabulary. */
final class BenchmarkIds {
  /** A prime. */
  private static final int STEP = 7919;

  private BenchmarkIds() {}

  static int[] of(int from, int count, LanguageModel model) {
    int[] ids = new int[count];
    for (int i = 0; i < count; i++) {
      ids[i] = (int) ((from + i + 1L) * STEP % model.config().vocabularySize());
    }
    return ids;
  }
}
