package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;

/**
 * Attention of one token, as streams over the cache: the cache's heads, cut into ranges of keys,
 * are the workers' parts, and what the ranges give is merged in their order. Where the ranges are
 * cut does not depend on the workers.
 */
final class AttentionStreams {
  /** Keys of a range. */
  private static final int RANGE = 2 * KeyValueCache.PAGE;

  private final Workers workers;
  private final AttentionStream[] streams;
  private final Workers.Task task = this::runRange;

  // The arguments of the call in progress.
  private TokenTensor q;
  private KeyValueCache cache;
  private float scale;
  private int token;
  private int visible;

  // What each query head got from each range, [ranges, heads]: the largest score, the sum of
  // weights, and the weighted values, [ranges, heads, stride].
  private float[] largest = {};
  private float[] weights = {};
  private float[] sums = {};
  private int stride;

  AttentionStreams(Workers workers) {
    this.workers = workers;
    this.streams = new AttentionStream[workers.threads()];
    for (int w = 0; w < streams.length; w++) {
      streams[w] = new AttentionStream();
    }
  }

  /** Attends from one token to the first {@code visible} ones of the cache. */
  void attend(
      TokenTensor q, KeyValueCache cache, float scale, TokenTensor o, int token, int visible) {
    this.q = q;
    this.cache = cache;
    this.scale = scale;
    this.token = token;
    this.visible = visible;
    int ranges = (visible + RANGE - 1) / RANGE;
    reserve(ranges * q.heads(), cache.valueWidth());
    workers.run(ranges * cache.heads(), task);
    for (int h = 0; h < q.heads(); h++) {
      merge(h, ranges, q.heads(), o, token);
    }
  }

  private void reserve(int results, int width) {
    stride = Lanes.roundUp(width, COUNT);
    if (largest.length < results) {
      // Twice as many, so that a growing context does not allocate at every range.
      largest = new float[2 * results];
      weights = new float[2 * results];
    }
    if (sums.length < results * stride) {
      sums = new float[2 * results * stride];
    }
  }

  private void runRange(int part, int worker) {
    int range = part / cache.heads();
    int cacheHead = part % cache.heads();
    int group = q.heads() / cache.heads();
    int first = range * RANGE;
    int end = Math.min(visible, first + RANGE);
    AttentionStream stream = streams[worker];
    stream.attend(q, token, cache, cacheHead, scale, first, end);
    for (int n = 0; n < group; n++) {
      int result = range * q.heads() + cacheHead * group + n;
      largest[result] = stream.largest(n);
      weights[result] = stream.weights(n);
      stream.copySums(n, sums, result * stride);
    }
  }

  private void merge(int head, int ranges, int heads, TokenTensor o, int token) {
    float most = Float.NEGATIVE_INFINITY;
    for (int r = 0; r < ranges; r++) {
      most = Math.max(most, largest[r * heads + head]);
    }
    float total = 0;
    for (int r = 0; r < ranges; r++) {
      total += weights[r * heads + head] * factor(r * heads + head, most);
    }
    int to = o.at(token, head);
    Arrays.fill(o.data(), to, to + o.width(), 0f);
    for (int r = 0; r < ranges; r++) {
      int result = r * heads + head;
      float factor = factor(result, most) / total;
      Lanes.addScaled(factor, sums, result * stride, o.data(), to, o.width());
    }
  }

  private float factor(int result, float most) {
    return (float) Math.exp(largest[result] - most);
  }
}
