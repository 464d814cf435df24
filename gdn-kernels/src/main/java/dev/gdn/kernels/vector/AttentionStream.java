package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;

import dev.gdn.core.kernel.CachePage;
import dev.gdn.core.kernel.CacheRows;
import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/**
 * One pass over a range of keys and values of one head of the cache, for all query heads that share
 * it, with the scratch of one worker.
 */
final class AttentionStream {
  // Keys of one step; a page is a whole number of steps.
  private static final int KEYS = 64;
  // Rows that are widened at once: they stay in the processor's first cache.
  private static final int ROWS = 16;
  // Keys and query heads whose products are summed at once.
  private static final int KEY_TILE = 4;
  private static final int HEAD_TILE = 2;
  // Values that are read side by side.
  private static final int VALUE_TILE = 8;

  // Numbers in a cache line.
  private static final int LINE = 16;

  private int group;
  private int keyStride;
  private int valueStride;
  private int valueWidth;
  // [query heads, keyStride], scaled, filled up with zeros to whole tiles.
  private float[] queries = {};
  // [query heads, KEYS]: scores, then weights.
  private float[] scores = {};
  private float[] largest = {};
  private float[] weights = {};
  // [query heads, valueStride].
  private float[] sums = {};
  private final CacheRows rows = new CacheRows();
  // Keeps the compiler from leaving the reads out.
  float touched;
  private final float[] lanes = new float[KEY_TILE * HEAD_TILE * COUNT];
  private final float[] tileSums = new float[Math.max(COUNT, LaneSums.VECTORS)];

  /** Attends from a token to the keys {@code first} to {@code end - 1}. */
  void attend(
      TokenTensor q,
      int token,
      KeyValueCache cache,
      int cacheHead,
      float scale,
      int first,
      int end) {
    group = q.heads() / cache.heads();
    reserve(cache.keyWidth(), cache.valueWidth());
    Arrays.fill(queries, 0f);
    for (int n = 0; n < group; n++) {
      int from = q.at(token, cacheHead * group + n);
      Lanes.scale(scale, q.data(), from, queries, n * keyStride, cache.keyWidth());
    }
    Arrays.fill(largest, 0, group, Float.NEGATIVE_INFINITY);
    Arrays.fill(weights, 0, group, 0f);
    Arrays.fill(sums, 0, group * valueStride, 0f);
    for (int key = first; key < end; key += KEYS) {
      int page = key / KeyValueCache.PAGE;
      int row = cacheHead * KeyValueCache.PAGE + key % KeyValueCache.PAGE;
      int keys = Math.min(KEYS, end - key);
      multiplyKeys(cache.keyPage(page), row, cache.keyWidth(), keys);
      for (int n = 0; n < group; n++) {
        softmax(n, keys);
      }
      addValues(cache.valuePage(page), row, keys);
    }
  }

  /** The largest score of the {@code n}-th query head. */
  float largest(int n) {
    return largest[n];
  }

  /** Its sum of weights e^(score − largest). */
  float weights(int n) {
    return weights[n];
  }

  /** Its weighted values. */
  void copySums(int n, float[] to, int at) {
    System.arraycopy(sums, n * valueStride, to, at, valueStride);
  }

  private void reserve(int keyWidth, int width) {
    valueWidth = width;
    keyStride = Lanes.roundUp(keyWidth, COUNT);
    valueStride = Lanes.roundUp(width, COUNT);
    int heads = Lanes.roundUp(group, HEAD_TILE);
    if (queries.length < heads * keyStride) {
      queries = new float[heads * keyStride];
    }
    if (largest.length < heads) {
      scores = new float[heads * KEYS];
      largest = new float[heads];
      weights = new float[heads];
    }
    if (sums.length < heads * valueStride) {
      sums = new float[heads * valueStride];
    }
  }

  // Reads one number of each cache line, in order. The tiles read several rows side by side, which
  // the processor does not foresee: they find in the cache what this brought there as one stream.
  // Widening is such a stream by itself.
  private void touch(CachePage page, int at, int n) {
    if (!(page instanceof CachePage.Floats floats)) {
      return;
    }
    float[] data = floats.data();
    float sum = 0;
    for (int i = 0; i < n; i += LINE) {
      sum += data[at + i];
    }
    touched = sum;
  }

  // Scores past the last key come from whatever the page holds there, and are masked.
  private void multiplyKeys(CachePage page, int row, int width, int keys) {
    touch(page, row * width, keys * width);
    for (int j = 0; j < keys; j += ROWS) {
      int count = Math.min(ROWS, keys - j);
      rows.show(page, (row + j) * width, count * width, ROWS * width);
      for (int i = 0; i < count; i += KEY_TILE) {
        multiplyKeys(rows.data(), rows.at() + i * width, width, j + i);
      }
    }
    for (int n = 0; n < group; n++) {
      Arrays.fill(scores, n * KEYS + keys, (n + 1) * KEYS, Float.NEGATIVE_INFINITY);
    }
  }

  // A tile of keys, for all query heads.
  private void multiplyKeys(float[] page, int at, int width, int key) {
    for (int n = 0; n < group; n += HEAD_TILE) {
      multiplyTile(page, at, width, n * keyStride);
      LaneSums.sum8(lanes, 0, tileSums);
      for (int i = 0; i < KEY_TILE; i++) {
        scores[n * KEYS + key + i] = tileSums[2 * i];
        scores[(n + 1) * KEYS + key + i] = tileSums[2 * i + 1];
      }
    }
  }

  private void multiplyTile(float[] page, int at, int width, int query) {
    FloatVector a0 = FloatVector.zero(F);
    FloatVector b0 = a0;
    FloatVector a1 = a0;
    FloatVector b1 = a0;
    FloatVector a2 = a0;
    FloatVector b2 = a0;
    FloatVector a3 = a0;
    FloatVector b3 = a0;
    int row1 = at + width;
    int row2 = row1 + width;
    int row3 = row2 + width;
    int i = 0;
    for (; i <= width - COUNT; i += COUNT) {
      FloatVector qa = FloatVector.fromArray(F, queries, query + i);
      FloatVector qb = FloatVector.fromArray(F, queries, query + keyStride + i);
      FloatVector k = FloatVector.fromArray(F, page, at + i);
      a0 = k.fma(qa, a0);
      b0 = k.fma(qb, b0);
      k = FloatVector.fromArray(F, page, row1 + i);
      a1 = k.fma(qa, a1);
      b1 = k.fma(qb, b1);
      k = FloatVector.fromArray(F, page, row2 + i);
      a2 = k.fma(qa, a2);
      b2 = k.fma(qb, b2);
      k = FloatVector.fromArray(F, page, row3 + i);
      a3 = k.fma(qa, a3);
      b3 = k.fma(qb, b3);
    }
    if (i < width) {
      VectorMask<Float> rest = F.indexInRange(i, width);
      FloatVector qa = FloatVector.fromArray(F, queries, query + i);
      FloatVector qb = FloatVector.fromArray(F, queries, query + keyStride + i);
      FloatVector k = FloatVector.fromArray(F, page, at + i, rest);
      a0 = k.fma(qa, a0);
      b0 = k.fma(qb, b0);
      k = FloatVector.fromArray(F, page, row1 + i, rest);
      a1 = k.fma(qa, a1);
      b1 = k.fma(qb, b1);
      k = FloatVector.fromArray(F, page, row2 + i, rest);
      a2 = k.fma(qa, a2);
      b2 = k.fma(qb, b2);
      k = FloatVector.fromArray(F, page, row3 + i, rest);
      a3 = k.fma(qa, a3);
      b3 = k.fma(qb, b3);
    }
    a0.intoArray(lanes, 0);
    b0.intoArray(lanes, COUNT);
    a1.intoArray(lanes, 2 * COUNT);
    b1.intoArray(lanes, 3 * COUNT);
    a2.intoArray(lanes, 4 * COUNT);
    b2.intoArray(lanes, 5 * COUNT);
    a3.intoArray(lanes, 6 * COUNT);
    b3.intoArray(lanes, 7 * COUNT);
  }

  private void softmax(int n, int keys) {
    int at = n * KEYS;
    float before = largest[n];
    float most = before;
    for (int j = 0; j < keys; j++) {
      most = Math.max(most, scores[at + j]);
    }
    for (int j = 0; j < keys; j++) {
      scores[at + j] -= most;
    }
    Exponentials.ofNegative(scores, at, COUNT, KEYS / COUNT);
    float factor = most == before ? 1 : (float) Math.exp(before - most);
    weights[n] = weights[n] * factor + sumOfWeights(at);
    largest[n] = most;
    if (factor != 1) {
      Lanes.scale(factor, sums, n * valueStride, sums, n * valueStride, valueStride);
    }
  }

  private float sumOfWeights(int at) {
    FloatVector sum = FloatVector.zero(F);
    for (int j = 0; j < KEYS; j += COUNT) {
      sum = sum.add(FloatVector.fromArray(F, scores, at + j));
    }
    sum.intoArray(lanes, 0);
    return Lanes.sum(lanes, 0);
  }

  private void addValues(CachePage page, int row, int keys) {
    touch(page, row * valueWidth, keys * valueWidth);
    for (int j = 0; j < keys; j += ROWS) {
      int count = Math.min(ROWS, keys - j);
      rows.show(page, (row + j) * valueWidth, count * valueWidth, ROWS * valueWidth);
      addValues(rows.data(), rows.at(), j, count);
    }
  }

  private void addValues(float[] page, int at, int key, int keys) {
    int j = 0;
    for (; j <= keys - VALUE_TILE; j += VALUE_TILE) {
      int i = 0;
      for (; i <= valueWidth - COUNT; i += COUNT) {
        addTile(page, at + j * valueWidth + i, key + j, i);
      }
      if (i < valueWidth) {
        addRest(page, at + j * valueWidth, key + j, VALUE_TILE, i);
      }
    }
    addRest(page, at + j * valueWidth, key + j, keys - j, 0);
  }

  // A column of eight values, for all query heads.
  private void addTile(float[] page, int at, int key, int column) {
    FloatVector v0 = FloatVector.fromArray(F, page, at);
    FloatVector v1 = FloatVector.fromArray(F, page, at + valueWidth);
    FloatVector v2 = FloatVector.fromArray(F, page, at + 2 * valueWidth);
    FloatVector v3 = FloatVector.fromArray(F, page, at + 3 * valueWidth);
    FloatVector v4 = FloatVector.fromArray(F, page, at + 4 * valueWidth);
    FloatVector v5 = FloatVector.fromArray(F, page, at + 5 * valueWidth);
    FloatVector v6 = FloatVector.fromArray(F, page, at + 6 * valueWidth);
    FloatVector v7 = FloatVector.fromArray(F, page, at + 7 * valueWidth);
    float[] w = scores;
    for (int n = 0; n < group; n++) {
      int s = n * KEYS + key;
      int to = n * valueStride + column;
      FloatVector even = v0.fma(FloatVector.broadcast(F, w[s]), FloatVector.fromArray(F, sums, to));
      FloatVector odd = v1.mul(w[s + 1]);
      even = v2.fma(FloatVector.broadcast(F, w[s + 2]), even);
      odd = v3.fma(FloatVector.broadcast(F, w[s + 3]), odd);
      even = v4.fma(FloatVector.broadcast(F, w[s + 4]), even);
      odd = v5.fma(FloatVector.broadcast(F, w[s + 5]), odd);
      even = v6.fma(FloatVector.broadcast(F, w[s + 6]), even);
      odd = v7.fma(FloatVector.broadcast(F, w[s + 7]), odd);
      even.add(odd).intoArray(sums, to);
    }
  }

  // What is left of the columns from `column` on, for `keys` keys.
  private void addRest(float[] page, int at, int key, int keys, int column) {
    for (int j = 0; j < keys; j++) {
      int from = at + j * valueWidth;
      int i = column;
      for (; i <= valueWidth - COUNT; i += COUNT) {
        addVector(page, from + i, key + j, i);
      }
      for (int n = 0; n < group && i < valueWidth; n++) {
        float weight = scores[n * KEYS + key + j];
        for (int c = i; c < valueWidth; c++) {
          int to = n * valueStride + c;
          sums[to] = Math.fma(weight, page[from + c], sums[to]);
        }
      }
    }
  }

  // A vector of one value, for all query heads.
  private void addVector(float[] page, int at, int key, int column) {
    FloatVector value = FloatVector.fromArray(F, page, at);
    float[] w = scores;
    for (int n = 0; n < group; n++) {
      int to = n * valueStride + column;
      FloatVector sum = FloatVector.fromArray(F, sums, to);
      value.fma(FloatVector.broadcast(F, w[n * KEYS + key]), sum).intoArray(sums, to);
    }
  }
}
