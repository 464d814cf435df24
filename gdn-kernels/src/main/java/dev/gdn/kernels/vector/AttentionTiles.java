package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;
import static dev.gdn.kernels.vector.Lanes.PANEL;
import static dev.gdn.kernels.vector.Tiles.ROWS;

import dev.gdn.core.kernel.CacheRows;
import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Attention of a block of queries to one head of the cache, in tiles, with the scratch of one
 * worker.
 *
 * <p>Scores stand as {@code [keys, queries]}: keys are the left-hand operand as the cache has them,
 * queries are transposed once for all keys, and the softmax runs over queries side by side without
 * sums over lanes. The largest score, the weights' sum and the weighted values of each query are
 * rescaled whenever a larger score comes (Milakov and Gimelshein, arXiv 1805.02867; Dao,
 * FlashAttention-2, arXiv 2307.08691).
 */
final class AttentionTiles {
  /** Queries of a block, those of all heads that share a head of the cache together. */
  static final int QUERIES = 64;

  // Keys of one step; a page is a whole number of steps.
  private static final int KEYS = 64;

  private final CacheRows cacheRows = new CacheRows();
  // Queries of the block, rounded up to whole panels.
  private int rows;
  // Qᵀ, scaled, in panels of queries, [key width, PANEL] each.
  private float[] queries = {};
  // Scores, then weights, in panels of queries, [KEYS, PANEL] each.
  private float[] scores = {};
  // V in panels of columns, [KEYS, PANEL] each.
  private float[] values = {};
  // Weighted values in panels of columns, [rows, PANEL] each.
  private float[] sums = {};
  private float[] largest = {};
  private float[] weights = {};
  private float[] rescale = {};
  // Keys of the present step that each query sees, minus one.
  private float[] lastVisible = {};

  /**
   * Attends from {@code count} tokens.
   *
   * @param position position of token {@code first} in the cache
   */
  void attend(
      TokenTensor q,
      KeyValueCache cache,
      int cacheHead,
      float scale,
      TokenTensor o,
      int first,
      int count,
      int position) {
    int group = q.heads() / cache.heads();
    int firstHead = cacheHead * group;
    reserve(count * group, cache.keyWidth(), cache.valueWidth());
    loadQueries(q, firstHead, group, scale, first, count);
    Arrays.fill(largest, 0, rows, Float.NEGATIVE_INFINITY);
    Arrays.fill(weights, 0, rows, 0f);
    Arrays.fill(sums, 0, Panels.count(cache.valueWidth()) * rows * PANEL, 0f);
    int visible = position + count;
    for (int key = 0; key < visible; key += KEYS) {
      step(cache, cacheHead, key, Math.min(KEYS, visible - key), position, count, group);
    }
    for (int r = 0; r < count * group; r++) {
      store(o, first + r / group, firstHead + r % group, r);
    }
  }

  private void reserve(int queryCount, int keyWidth, int valueWidth) {
    rows = Lanes.roundUp(queryCount, PANEL);
    int columns = Lanes.roundUp(valueWidth, PANEL);
    if (queries.length < rows * keyWidth) {
      queries = new float[rows * keyWidth];
    }
    if (largest.length < rows) {
      scores = new float[rows * KEYS];
      largest = new float[rows];
      weights = new float[rows];
      rescale = new float[rows];
      lastVisible = new float[rows];
    }
    if (values.length < KEYS * columns) {
      values = new float[KEYS * columns];
    }
    if (sums.length < rows * columns) {
      sums = new float[rows * columns];
    }
  }

  private void loadQueries(
      TokenTensor q, int firstHead, int group, float scale, int first, int count) {
    int width = q.width();
    Arrays.fill(queries, 0, rows * width, 0f);
    for (int r = 0; r < count * group; r++) {
      int from = q.at(first + r / group, firstHead + r % group);
      int to = r / PANEL * width * PANEL + r % PANEL;
      for (int i = 0; i < width; i++) {
        queries[to + i * PANEL] = scale * q.data()[from + i];
      }
    }
  }

  private void step(
      KeyValueCache cache, int head, int key, int keys, int position, int count, int group) {
    int page = key / KeyValueCache.PAGE;
    int row = head * KeyValueCache.PAGE + key % KeyValueCache.PAGE;
    int keyWidth = cache.keyWidth();
    cacheRows.show(cache.keyPage(page), row * keyWidth, keys * keyWidth, KEYS * keyWidth);
    multiplyKeys(cacheRows.data(), cacheRows.at(), keyWidth, keys);
    for (int r = 0; r < rows; r++) {
      lastVisible[r] = position + Math.min(r / group, count - 1) - key;
    }
    if (key + keys - 1 > position) {
      mask(keys);
    }
    for (int r = 0; r < rows; r += COUNT) {
      softmax(r / PANEL * KEYS * PANEL + r % PANEL, r, keys);
    }
    int width = cache.valueWidth();
    cacheRows.show(cache.valuePage(page), row * width, keys * width, KEYS * width);
    loadValues(cacheRows.data(), cacheRows.at(), width, keys);
    for (int p = 0; p < Panels.count(width); p++) {
      for (int r = 0; r < rows; r++) {
        if (rescale[r] != 1) {
          scaleRow((p * rows + r) * PANEL, rescale[r]);
        }
      }
      for (int r = 0; r < rows; r += ROWS) {
        addValues(p, r, Math.min(keys, seen(r)), Math.min(keys, seen(r + ROWS - 1)));
      }
    }
  }

  // Keys of the step, from its first on, that a row sees.
  private int seen(int row) {
    return (int) lastVisible[row] + 1;
  }

  // A panel of the values of a tile of rows, all of which see the first keys, and some more. What a
  // row does not see is not multiplied by a weight of 0, which would make NaN of infinity.
  private void addValues(int p, int r, int keys, int more) {
    int from = r / PANEL * KEYS * PANEL + r % PANEL;
    int panel = p * KEYS * PANEL;
    int to = (p * rows + r) * PANEL;
    Tiles.multiplyTransposed(scores, from, PANEL, Math.max(keys, 0), values, panel, sums, to, 1f);
    for (int j = Math.max(keys, 0); j < more; j++) {
      for (int i = 0; i < ROWS; i++) {
        if (seen(r + i) > j) {
          addValue(scores[from + j * PANEL + i], panel + j * PANEL, to + i * PANEL);
        }
      }
    }
  }

  private void addValue(float weight, int value, int to) {
    FloatVector left = FloatVector.fromArray(F, sums, to);
    FloatVector right = FloatVector.fromArray(F, sums, to + COUNT);
    FloatVector factor = FloatVector.broadcast(F, weight);
    factor.fma(FloatVector.fromArray(F, values, value), left).intoArray(sums, to);
    factor.fma(FloatVector.fromArray(F, values, value + COUNT), right).intoArray(sums, to + COUNT);
  }

  // Rows past the last key are computed from whatever the page holds there, and not read.
  private void multiplyKeys(float[] page, int at, int width, int keys) {
    Arrays.fill(scores, 0, rows * KEYS, 0f);
    for (int p = 0; p < rows / PANEL; p++) {
      for (int j = 0; j < keys; j += ROWS) {
        int to = (p * KEYS + j) * PANEL;
        Tiles.multiply(page, at + j * width, width, width, queries, p * width * PANEL, scores, to);
      }
    }
  }

  private void mask(int keys) {
    for (int r = 0; r < rows; r += COUNT) {
      FloatVector last = FloatVector.fromArray(F, lastVisible, r);
      int at = r / PANEL * KEYS * PANEL + r % PANEL;
      for (int j = 0; j < keys; j++) {
        FloatVector score = FloatVector.fromArray(F, scores, at + j * PANEL);
        score
            .blend(Float.NEGATIVE_INFINITY, last.compare(VectorOperators.LT, j))
            .intoArray(scores, at + j * PANEL);
      }
    }
  }

  // Turns the scores of as many queries as a vector holds into weights.
  private void softmax(int at, int row, int keys) {
    subtractLargest(at, row, keys);
    Exponentials.ofNegative(scores, at, PANEL, keys);
    addWeights(at, row, keys);
  }

  // The first key is seen by all: the largest score is a number from the first step on.
  private void subtractLargest(int at, int row, int keys) {
    float[] s = scores;
    FloatVector before = FloatVector.fromArray(F, largest, row);
    FloatVector most = before;
    for (int j = 0; j < keys; j++) {
      FloatVector score = FloatVector.fromArray(F, s, at + j * PANEL);
      most = most.blend(score, score.compare(VectorOperators.GT, most));
    }
    for (int j = 0; j < keys; j++) {
      FloatVector.fromArray(F, s, at + j * PANEL).sub(most).intoArray(s, at + j * PANEL);
    }
    most.intoArray(largest, row);
    before.sub(most).intoArray(rescale, row);
  }

  private void addWeights(int at, int row, int keys) {
    // The largest score seldom changes after the first steps.
    for (int r = row; r < row + COUNT; r++) {
      rescale[r] = rescale[r] == 0 ? 1 : (float) Math.exp(rescale[r]);
    }
    FloatVector factor = FloatVector.fromArray(F, rescale, row);
    FloatVector sum = FloatVector.fromArray(F, weights, row).mul(factor);
    for (int j = 0; j < keys; j++) {
      sum = sum.add(FloatVector.fromArray(F, scores, at + j * PANEL));
    }
    sum.intoArray(weights, row);
  }

  private void loadValues(float[] page, int at, int width, int keys) {
    for (int j = 0; j < keys; j++) {
      Panels.put(page, at + j * width, width, values, j * PANEL, KEYS * PANEL);
    }
  }

  private void scaleRow(int at, float factor) {
    FloatVector.fromArray(F, sums, at).mul(factor).intoArray(sums, at);
    FloatVector.fromArray(F, sums, at + COUNT).mul(factor).intoArray(sums, at + COUNT);
  }

  private void store(TokenTensor o, int token, int head, int row) {
    int to = o.at(token, head);
    for (int p = 0; p < Panels.count(o.width()); p++) {
      int columns = Math.min(PANEL, o.width() - p * PANEL);
      int from = (p * rows + row) * PANEL;
      Lanes.scale(1 / weights[row], sums, from, o.data(), to + p * PANEL, columns);
    }
  }
}
