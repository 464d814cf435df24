package dev.gdn.model.state;

import java.util.Arrays;

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

  /** A copy. */
  public int[] toArray() {
    return Arrays.copyOf(ids, length);
  }
}
