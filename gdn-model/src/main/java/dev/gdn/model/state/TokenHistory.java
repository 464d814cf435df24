package dev.gdn.model.state;

import java.util.Arrays;
import java.util.List;

/** The tokens of a sequence so far. Used by one thread at a time. */
public final class TokenHistory {
  private int[] ids = new int[64];
  private int length;

  /** No tokens yet. */
  public TokenHistory() {}

  /** Their number. */
  public int length() {
    return length;
  }

  /** Adds tokens. */
  public void add(int[] more, int from, int count) {
    int needed = Math.addExact(length, count);
    if (needed > ids.length) {
      ids =
          Arrays.copyOf(ids, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, 2L * length)));
    }
    System.arraycopy(more, from, ids, length, count);
    length = needed;
  }

  /** Becomes these tokens. */
  public void set(int[] tokens) {
    length = 0;
    add(tokens, 0, tokens.length);
  }

  /** Forgets all. */
  public void clear() {
    length = 0;
  }

  /** Whether these tokens begin with all of this. */
  public boolean isPrefixOf(int[] tokens) {
    return length <= tokens.length && Arrays.equals(ids, 0, length, tokens, 0, length);
  }

  /** Whether these tokens are all of {@code first} and then the first of {@code next}, or all. */
  public boolean consistsOf(int[] first, List<Integer> next) {
    int more = length - first.length;
    if (more < 0
        || more > next.size()
        || !Arrays.equals(ids, 0, first.length, first, 0, first.length)) {
      return false;
    }
    for (int i = 0; i < more; i++) {
      if (ids[first.length + i] != next.get(i)) {
        return false;
      }
    }
    return true;
  }

  /** A copy. */
  public int[] toArray() {
    return Arrays.copyOf(ids, length);
  }
}
