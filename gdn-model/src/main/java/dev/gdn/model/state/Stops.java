package dev.gdn.model.state;

import java.util.Arrays;

/**
 * Where the blocks of a prompt end beside where they are full: at message borders, and at every
 * {@value #INTERVAL}th position. Immutable.
 */
public final class Stops {
  /** Tokens from one regular stop to the next. */
  public static final int INTERVAL = 512;

  /** Borders that are closer together than this are not worth a block of their own. */
  static final int LEAST_DISTANCE = 64;

  /** No borders. */
  public static final Stops REGULAR = new Stops(new int[0]);

  // Ascending.
  private final int[] borders;

  private Stops(int[] borders) {
    this.borders = borders;
  }

  /**
   * Stops at borders as well. Of borders that are close together the last one counts.
   *
   * @param borders positions in any order
   * @param length of the prompt
   * @throws IllegalArgumentException if a border is outside the prompt
   */
  public static Stops at(int[] borders, int length) {
    int[] sorted = borders.clone();
    Arrays.sort(sorted);
    if (sorted.length > 0 && (sorted[0] < 0 || sorted[sorted.length - 1] > length)) {
      throw new IllegalArgumentException(
          "borders: expected positions from 0 to %d, found %d to %d"
              .formatted(length, sorted[0], sorted[sorted.length - 1]));
    }
    int[] kept = new int[sorted.length];
    int from = kept.length;
    for (int i = sorted.length - 1; i >= 0; i--) {
      if (from == kept.length || kept[from] - sorted[i] >= LEAST_DISTANCE) {
        kept[--from] = sorted[i];
      }
    }
    return new Stops(Arrays.copyOfRange(kept, from, kept.length));
  }

  /** The first stop after a position. */
  public int after(int position) {
    int regular = Math.addExact(position - position % INTERVAL, INTERVAL);
    int i = Arrays.binarySearch(borders, position + 1);
    int border = i >= 0 ? i : -i - 1;
    return border < borders.length ? Math.min(regular, borders[border]) : regular;
  }

  /** Whether a message ends at a position. */
  public boolean isBorder(int position) {
    return Arrays.binarySearch(borders, position) >= 0;
  }

  /** Whether a position is a stop. */
  public boolean contains(int position) {
    return position % INTERVAL == 0 || isBorder(position);
  }
}
