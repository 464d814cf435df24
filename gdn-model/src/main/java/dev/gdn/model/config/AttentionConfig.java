package dev.gdn.model.config;

import java.util.Objects;
import java.util.Optional;

/**
 * Full-attention layers with queries, keys and values in heads. Where their output is gated, the
 * query projection gives a query and a gate, so that its output is twice {@code heads * headWidth}
 * wide.
 *
 * @param heads query heads, a multiple of the key-value heads
 * @param keyValueHeads key and value heads, at least 1
 * @param headWidth width of every head, at least the rotary width
 * @param rotary what turns queries and keys by position; empty if nothing does
 * @param gated whether a sigmoid gate multiplies the output
 * @param norm of queries and keys
 * @param indexer what chooses the tokens that a token attends to; empty if it attends to all
 */
public record AttentionConfig(
    int heads,
    int keyValueHeads,
    int headWidth,
    Optional<RotaryConfig> rotary,
    boolean gated,
    QueryKeyNorm norm,
    Optional<IndexerConfig> indexer)
    implements FullAttentionConfig {
  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public AttentionConfig {
    Objects.requireNonNull(norm, "norm");
    Sizes.positive("heads", heads);
    Sizes.positive("keyValueHeads", keyValueHeads);
    Sizes.positive("headWidth", headWidth);
    Sizes.multiple("heads", heads, "keyValueHeads", keyValueHeads);
    int rotated = rotary.map(RotaryConfig::width).orElse(0);
    if (headWidth < rotated) {
      throw new IllegalArgumentException(
          "headWidth: expected at least the rotary width %d, found %d"
              .formatted(rotated, headWidth));
    }
    if (gated && norm == QueryKeyNorm.JOINT) {
      throw new IllegalArgumentException(
          "norm: expected one per head, as queries stand between gates, found a joint one");
    }
    if (indexer.isPresent() && indexer.get().headWidth() < rotated) {
      throw new IllegalArgumentException(
          "indexer: expected heads of at least the rotary width %d, found %d"
              .formatted(rotated, indexer.get().headWidth()));
    }
  }

  /**
   * As in Qwen3.5: gated, each head normalised, over the whole context.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public AttentionConfig(int heads, int keyValueHeads, int headWidth, RotaryConfig rotary) {
    this(
        heads,
        keyValueHeads,
        headWidth,
        Optional.of(rotary),
        true,
        QueryKeyNorm.PER_HEAD,
        Optional.empty());
  }

  /** Width of all query heads. */
  public int querySize() {
    return heads * headWidth;
  }

  /** Width of all key heads, and of all value heads. */
  public int keyValueSize() {
    return keyValueHeads * headWidth;
  }
}
