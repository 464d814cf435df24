package dev.gdn.model.tokenizer;

import java.util.Arrays;

/**
 * A binary heap of merges that may be made: lowest rank first, then leftmost. It holds longs, rank
 * above place, so that a word of a million bytes needs no million objects.
 */
final class CandidateHeap {
  private long[] heap = new long[64];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  void add(int rank, int place) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, Math.multiplyExact(size, 2));
    }
    long candidate = (long) rank << 32 | place;
    int hole = size++;
    while (hole > 0 && heap[(hole - 1) / 2] > candidate) {
      heap[hole] = heap[(hole - 1) / 2];
      hole = (hole - 1) / 2;
    }
    heap[hole] = candidate;
  }

  /** Takes out the first: its rank in the upper half, its place in the lower. */
  long remove() {
    long first = heap[0];
    long last = heap[--size];
    int hole = 0;
    for (int child = 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && heap[child + 1] < heap[child]) {
        child++;
      }
      if (heap[child] >= last) {
        break;
      }
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = last;
    return first;
  }
}
