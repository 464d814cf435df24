package dev.gdn.core.kernel;

import java.util.Arrays;

/**
 * Which experts each token of a block goes to, and with what weight. A router fills in {@link
 * #expertOf()} and {@link #weightOf()}; {@link #group} then gives every pair of a token and one of
 * its experts a row, so that an expert's rows lie side by side, the earlier token first. Made once
 * and reused; used by one thread at a time.
 */
public final class ExpertRoutes {
  private final int experts;
  private final int chosen;
  private final int capacity;
  private final int[] expertOf;
  private final float[] weightOf;
  private final int[] rowOf;
  private final int[] tokenOf;
  private final int[] next;
  private final int[] expertOfGroup;
  private final int[] firstRowOfGroup;
  private int tokens;
  private int groups;

  /**
   * Routes of no token.
   *
   * @param experts at least 1
   * @param chosen experts for each token, from 1 to {@code experts}
   * @param capacity most tokens of a block
   * @throws IllegalArgumentException if a number is out of range, or the pairs of a token and an
   *     expert are more than an array holds
   */
  public ExpertRoutes(int experts, int chosen, int capacity) {
    long most = (long) capacity * chosen;
    if (experts < 1
        || chosen < 1
        || chosen > experts
        || capacity < 0
        || most > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "bad routes: %d of %d experts for each of %d tokens"
              .formatted(chosen, experts, capacity));
    }
    int pairs = (int) most;
    this.experts = experts;
    this.chosen = chosen;
    this.capacity = capacity;
    this.expertOf = new int[pairs];
    this.weightOf = new float[pairs];
    this.rowOf = new int[pairs];
    this.tokenOf = new int[pairs];
    this.next = new int[experts];
    int mostGroups = Math.min(experts, pairs);
    this.expertOfGroup = new int[mostGroups];
    this.firstRowOfGroup = new int[mostGroups + 1];
  }

  /** Experts there are. */
  public int experts() {
    return experts;
  }

  /** Experts of each token. */
  public int chosen() {
    return chosen;
  }

  /** Most tokens of a block. */
  public int capacity() {
    return capacity;
  }

  /** {@code [tokens, chosen]}: the experts of each token, each from 0 to {@code experts() - 1}. */
  public int[] expertOf() {
    return expertOf;
  }

  /** {@code [tokens, chosen]}: what the output of each of these experts counts. */
  public float[] weightOf() {
    return weightOf;
  }

  /**
   * Gives every pair its row.
   *
   * @param tokens whose experts are filled in
   * @throws IllegalArgumentException if there are more than the capacity, or an expert is out of
   *     range
   */
  public void group(int tokens) {
    if (tokens < 0 || tokens > capacity) {
      throw new IllegalArgumentException(
          "routes: expected at most %d tokens, found %d".formatted(capacity, tokens));
    }
    this.tokens = 0;
    this.groups = 0;
    int pairs = tokens * chosen;
    Arrays.fill(next, 0);
    for (int i = 0; i < pairs; i++) {
      int expert = expertOf[i];
      if (expert < 0 || expert >= experts) {
        throw new IllegalArgumentException(
            "routes: expected an expert below %d, found %d".formatted(experts, expert));
      }
      next[expert]++;
    }
    int row = 0;
    for (int e = 0; e < experts; e++) {
      int count = next[e];
      if (count > 0) {
        expertOfGroup[groups] = e;
        firstRowOfGroup[groups++] = row;
      }
      next[e] = row;
      row += count;
    }
    firstRowOfGroup[groups] = row;
    for (int i = 0; i < pairs; i++) {
      rowOf[i] = next[expertOf[i]]++;
      tokenOf[rowOf[i]] = i / chosen;
    }
    this.tokens = tokens;
  }

  /** Tokens that were grouped. */
  public int tokens() {
    return tokens;
  }

  /** Pairs of a token and one of its experts. */
  public int rows() {
    return tokens * chosen;
  }

  /** {@code [tokens, chosen]}: the row of each pair. */
  public int[] rowOf() {
    return rowOf;
  }

  /** {@code [rows]}: the token of each row. */
  public int[] tokenOf() {
    return tokenOf;
  }

  /** Experts that have a row. */
  public int groups() {
    return groups;
  }

  /** The expert of a group, in rising order. */
  public int expert(int group) {
    return expertOfGroup[group];
  }

  /** The first row of a group; of {@code groups()}, the number of rows. */
  public int firstRow(int group) {
    return firstRowOfGroup[group];
  }
}
