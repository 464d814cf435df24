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
  private static final int TILE_LANES = KEY_TILE * HEAD_TILE * COUNT;
  private static final int SUMS = Math.max(COUNT, LaneSums.VECTORS);
  // Vectors of a value that are summed at once.
  private static final int COLUMN_TILE = 4;

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
  // [tiles, KEY_TILE, HEAD_TILE, COUNT].
  private float[] lanes = new float[TILE_LANES];
  // [tiles, SUMS].
  private float[] tileSums = {};

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
      int tiles = ROWS / KEY_TILE * (heads / HEAD_TILE);
      lanes = new float[tiles * TILE_LANES];
      tileSums = new float[tiles * SUMS];
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
      multiplyTiles(rows.data(), rows.at(), width, j, count);
    }
    for (int n = 0; n < group; n++) {
      Arrays.fill(scores, n * KEYS + keys, (n + 1) * KEYS, Float.NEGATIVE_INFINITY);
    }
  }

  // Tiles of keys, for all query heads. First all products, then all sums, and then these one by
  // one: what reads a number of a vector that was just stored waits until all before is done.
  private void multiplyTiles(float[] page, int at, int width, int key, int keys) {
    int heads = Lanes.roundUp(group, HEAD_TILE);
    int tiles = (keys + KEY_TILE - 1) / KEY_TILE;
    int tile = 0;
    for (int i = 0; i < tiles; i++) {
      for (int n = 0; n < heads; n += HEAD_TILE) {
        multiplyTile(page, at + i * KEY_TILE * width, width, n * keyStride, tile++ * TILE_LANES);
      }
    }
    for (int i = 0; i < tile; i++) {
      LaneSums.sum8(lanes, i * TILE_LANES, tileSums, i * SUMS);
    }
    int from = 0;
    for (int i = 0; i < tiles; i++) {
      for (int n = 0; n < heads; n += HEAD_TILE) {
        spread(from, n * KEYS + key + i * KEY_TILE);
        from += SUMS;
      }
    }
  }

  private void spread(int from, int to) {
    for (int i = 0; i < KEY_TILE; i++) {
      scores[to + i] = tileSums[from + 2 * i];
      scores[to + KEYS + i] = tileSums[from + 2 * i + 1];
    }
  }

  private void multiplyTile(float[] page, int at, int width, int query, int to) {
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
    a0.intoArray(lanes, to);
    b0.intoArray(lanes, to + COUNT);
    a1.intoArray(lanes, to + 2 * COUNT);
    b1.intoArray(lanes, to + 3 * COUNT);
    a2.intoArray(lanes, to + 4 * COUNT);
    b2.intoArray(lanes, to + 5 * COUNT);
    a3.intoArray(lanes, to + 6 * COUNT);
    b3.intoArray(lanes, to + 7 * COUNT);
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
    int column = 0;
    for (; column <= valueWidth - COLUMN_TILE * COUNT; column += COLUMN_TILE * COUNT) {
      for (int n = 0; n < group; n += HEAD_TILE) {
        addColumns(page, at + column, keys, n * KEYS + key, n * valueStride + column);
      }
    }
    addRest(page, at, key, keys, column);
  }

  // Some columns of some values, for two query heads, whose sums stay in registers.
  private void addColumns(float[] page, int at, int keys, int weight, int to) {
    int width = valueWidth;
    int second = to + valueStride;
    FloatVector a0 = FloatVector.fromArray(F, sums, to);
    FloatVector a1 = FloatVector.fromArray(F, sums, to + COUNT);
    FloatVector a2 = FloatVector.fromArray(F, sums, to + 2 * COUNT);
    FloatVector a3 = FloatVector.fromArray(F, sums, to + 3 * COUNT);
    FloatVector b0 = FloatVector.fromArray(F, sums, second);
    FloatVector b1 = FloatVector.fromArray(F, sums, second + COUNT);
    FloatVector b2 = FloatVector.fromArray(F, sums, second + 2 * COUNT);
    FloatVector b3 = FloatVector.fromArray(F, sums, second + 3 * COUNT);
    for (int j = 0; j < keys; j++) {
      int row = at + j * width;
      FloatVector wa = FloatVector.broadcast(F, scores[weight + j]);
      FloatVector wb = FloatVector.broadcast(F, scores[weight + KEYS + j]);
      FloatVector v = FloatVector.fromArray(F, page, row);
      a0 = v.fma(wa, a0);
      b0 = v.fma(wb, b0);
      v = FloatVector.fromArray(F, page, row + COUNT);
      a1 = v.fma(wa, a1);
      b1 = v.fma(wb, b1);
      v = FloatVector.fromArray(F, page, row + 2 * COUNT);
      a2 = v.fma(wa, a2);
      b2 = v.fma(wb, b2);
      v = FloatVector.fromArray(F, page, row + 3 * COUNT);
      a3 = v.fma(wa, a3);
      b3 = v.fma(wb, b3);
    }
    a0.intoArray(sums, to);
    a1.intoArray(sums, to + COUNT);
    a2.intoArray(sums, to + 2 * COUNT);
    a3.intoArray(sums, to + 3 * COUNT);
    b0.intoArray(sums, second);
    b1.intoArray(sums, second + COUNT);
    b2.intoArray(sums, second + 2 * COUNT);
    b3.intoArray(sums, second + 3 * COUNT);
  }

  // The columns from `column` on.
  private void addRest(float[] page, int at, int key, int keys, int column) {
    for (int j = 0; j < keys && column < valueWidth; j++) {
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
