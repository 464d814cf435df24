package dev.gdn.model.layer;

import java.util.Arrays;

/**
 * Selects the highest of some scores by quickselect with medians of three (Musser, <i>Introspective
 * sorting and selection algorithms</i>, 1997).
 *
 * <p>Which of equal scores are selected is a matter of the order of steps, and not that of their
 * indices: it is the order of {@code std::nth_element} in GNU's C++ library, on which the
 * reference's {@code topk} rests. The scores of few heads are often all 0 for several blocks, and
 * other blocks would then be attended to than there. Used by one thread at a time.
 */
final class HighestScores {
  private static final int SMALL = 3;

  private float[] scores = {};
  private int[] order = {};
  private long[] keys = {};

  /**
   * Selects.
   *
   * @param scores each a number of at least 0
   * @param count how many count
   * @param chosen from 1 to {@code count}
   * @return the indices of the highest, rising, as the first {@code chosen} elements; valid until
   *     the next call
   */
  int[] select(float[] scores, int count, int chosen) {
    this.scores = scores;
    if (order.length < count) {
      order = new int[2 * count];
    }
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
    partition(count, chosen - 1);
    Arrays.sort(order, 0, chosen);
    return order;
  }

  private void partition(int count, int nth) {
    int first = 0;
    int end = count;
    int depth = 2 * (31 - Integer.numberOfLeadingZeros(count));
    while (end - first > SMALL) {
      if (depth-- == 0) {
        sort(first, end);
        return;
      }
      int cut = split(first, end);
      if (cut <= nth) {
        first = cut;
      } else {
        end = cut;
      }
    }
    insertionSort(first, end);
  }

  /** Splits at the median of three, which goes to {@code first}. */
  private int split(int first, int end) {
    swap(first, median(first + 1, first + (end - first) / 2, end - 1));
    int pivot = order[first];
    int low = first + 1;
    int high = end;
    while (true) {
      while (higher(order[low], pivot)) {
        low++;
      }
      high--;
      while (higher(pivot, order[high])) {
        high--;
      }
      if (low >= high) {
        return low;
      }
      swap(low, high);
      low++;
    }
  }

  private int median(int a, int b, int c) {
    if (higher(order[a], order[b])) {
      if (higher(order[b], order[c])) {
        return b;
      }
      return higher(order[a], order[c]) ? c : a;
    }
    if (higher(order[a], order[c])) {
      return a;
    }
    return higher(order[b], order[c]) ? c : b;
  }

  private void insertionSort(int first, int end) {
    for (int i = first + 1; i < end; i++) {
      int index = order[i];
      int to = i;
      for (; to > first && higher(index, order[to - 1]); to--) {
        order[to] = order[to - 1];
      }
      order[to] = index;
    }
  }

  // Medians that split badly: sorting is then the bound on time.
  private void sort(int first, int end) {
    if (keys.length < end) {
      keys = new long[2 * end];
    }
    for (int i = first; i < end; i++) {
      // Scores are at least 0, so that their bits rise with them.
      long bits = Float.floatToIntBits(scores[order[i]]);
      keys[i] = -bits << Integer.SIZE | order[i];
    }
    Arrays.sort(keys, first, end);
    for (int i = first; i < end; i++) {
      order[i] = (int) keys[i];
    }
  }

  private boolean higher(int a, int b) {
    return scores[a] > scores[b];
  }

  private void swap(int a, int b) {
    int index = order[a];
    order[a] = order[b];
    order[b] = index;
  }
}
