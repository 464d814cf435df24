package dev.gdn.model.config;

/**
 * Qwen sparse attention: a token attends to the tokens of those whole blocks of the past that score
 * highest, and to those after the last whole block. A block's key is the mean of its tokens'.
 *
 * @param heads query heads of the indexer, at least 1
 * @param headWidth width of its query heads and of its one key head
 * @param budget tokens that are taken from whole blocks, a multiple of {@code blockTokens}
 * @param blockTokens tokens of a block, at least 1
 */
public record IndexerConfig(int heads, int headWidth, int budget, int blockTokens) {
  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public IndexerConfig {
    Sizes.positive("indexer heads", heads);
    Sizes.positive("indexer head width", headWidth);
    Sizes.positive("indexer budget", budget);
    Sizes.positive("indexer block", blockTokens);
    Sizes.multiple("indexer budget", budget, "block", blockTokens);
  }

  /** Blocks that a token may choose. */
  public int chosenBlocks() {
    return budget / blockTokens;
  }
}
