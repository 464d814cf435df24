package dev.gdn.kernels.scalar;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.Attention;
import dev.gdn.core.kernel.CacheRows;
import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.tensor.Rows;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;

/**
 * Softmax attention in the streaming form (Milakov and Gimelshein, <i>Online normalizer calculation
 * for softmax</i>, arXiv 1805.02867): with m the largest score so far, the sums l = Σ e^(s_j−m) and
 * a = Σ e^(s_j−m) v_j are rescaled whenever m grows; o = a / l.
 */
final class ScalarAttention implements Attention {
  private static final int TOKENS = 16;

  private final Workers workers;
  private final Scratch scratch;
  private final CacheRows[] rows;

  ScalarAttention(Workers workers) {
    this.workers = workers;
    this.scratch = new Scratch(workers);
    this.rows = new CacheRows[workers.threads()];
    for (int w = 0; w < rows.length; w++) {
      rows[w] = new CacheRows();
    }
  }

  @Override
  public void attend(TokenTensor q, KeyValueCache cache, float scale, TokenTensor o, int tokens) {
    int heads = q.heads();
    cache.check(q, o, tokens);
    int groups = (tokens + TOKENS - 1) / TOKENS;
    workers.run(
        groups * heads,
        (part, worker) -> {
          float[] sum = scratch.of(worker, cache.valueWidth());
          int head = part % heads;
          int first = part / heads * TOKENS;
          for (int t = first; t < Math.min(tokens, first + TOKENS); t++) {
            attend(q, cache, scale, o, t, head, cache.length() - tokens + t + 1, sum, rows[worker]);
          }
        });
  }

  // One query over the first `visible` tokens of the cache.
  private static void attend(
      TokenTensor q,
      KeyValueCache cache,
      float scale,
      TokenTensor o,
      int token,
      int head,
      int visible,
      float[] sum,
      CacheRows rows) {
    int cacheHead = head / (q.heads() / cache.heads());
    int keyWidth = cache.keyWidth();
    int valueWidth = cache.valueWidth();
    int query = q.at(token, head);
    float largest = Float.NEGATIVE_INFINITY;
    float weights = 0;
    Arrays.fill(sum, 0, valueWidth, 0);
    for (int j = 0; j < visible; j++) {
      int page = j / KeyValueCache.PAGE;
      int row = cacheHead * KeyValueCache.PAGE + j % KeyValueCache.PAGE;
      rows.show(cache.keyPage(page), row * keyWidth, keyWidth, keyWidth);
      float score = scale * Rows.dot(q.data(), query, rows.data(), rows.at(), keyWidth);
      if (score > largest) {
        float rescale = (float) Math.exp((double) largest - score);
        weights *= rescale;
        Rows.scale(rescale, sum, 0, sum, 0, valueWidth);
        largest = score;
      }
      float weight = (float) Math.exp((double) score - largest);
      weights += weight;
      rows.show(cache.valuePage(page), row * valueWidth, valueWidth, valueWidth);
      Rows.addScaled(weight, rows.data(), rows.at(), sum, 0, valueWidth);
    }
    Rows.scale(1 / weights, sum, 0, o.data(), o.at(token, head), valueWidth);
  }
}
