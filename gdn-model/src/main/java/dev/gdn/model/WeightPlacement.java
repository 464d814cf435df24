package dev.gdn.model;

/**
 * Where matrices in Q4_0, Q4_K, Q5_K and Q6_K are while a model is open. All others stay in the
 * file, or where quantising puts them.
 */
public enum WeightPlacement {
  /**
   * {@link #ARRANGED} if all weights fit half of the largest heap, else {@link #MAPPED}. The
   * default.
   */
  AUTO,
  /**
   * In the mapped file: a model is open at once, several processes share its memory, and it may be
   * larger than that.
   */
  MAPPED,
  /**
   * On the heap, in groups of rows, as large as in the file: tokens are generated 1.5 to 2 times as
   * fast, and opening takes longer by what filling that memory takes. Tokens are rounded to 8 bits
   * for all four types then, and not for Q4_0 alone. docs/performance-matmul.md has the figures.
   */
  ARRANGED;

  /** The most bytes of weights that are laid out anew. */
  long mostArrangedBytes() {
    return switch (this) {
      case AUTO -> Runtime.getRuntime().maxMemory() / 2;
      case MAPPED -> 0;
      case ARRANGED -> Long.MAX_VALUE;
    };
  }
}
