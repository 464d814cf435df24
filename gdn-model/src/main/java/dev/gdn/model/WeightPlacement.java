package dev.gdn.model;

/**
 * Where the 4-bit matrices of a checkpoint (Q4_0) are while a model is open. All others stay in the
 * file, or where quantising puts them: with those the memory is the limit, not the arithmetic.
 */
public enum WeightPlacement {
  /** {@link #ARRANGED} if all weights fit half of the largest heap, else {@link #MAPPED}. */
  AUTO,
  /**
   * In the mapped file: a model is open at once, several processes share its memory, and it may be
   * larger than that.
   */
  MAPPED,
  /**
   * On the heap, laid out as the kernels like them, as large as in the file: generation is up to
   * twice as fast. Opening takes some tenths of a second for each gigabyte, and more if the file is
   * not in the file cache.
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
