package dev.gdn.model;

/**
 * Where the 4-bit matrices of a checkpoint (Q4_0) are while a model is open. All others stay in the
 * file, or where quantising puts them: with those the memory is the limit, not the arithmetic.
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
   * On the heap, in groups of rows, as large as in the file: tokens are generated about twice as
   * fast, and opening takes as long as filling that memory does. docs/performance-matmul.md has the
   * figures.
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
