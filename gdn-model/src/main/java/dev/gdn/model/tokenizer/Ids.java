package dev.gdn.model.tokenizer;

import java.util.Arrays;

/** A list of ids that grows. */
final class Ids {
  private int[] values = new int[64];
  private int size;

  void add(int id) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.multiplyExact(size, 2));
    }
    values[size++] = id;
  }

  int[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
