package dev.gdn.model.config;

import java.util.Objects;

/**
 * The full-attention layers. Their output is gated: the query projection gives a query and a gate,
 * so that its output is twice {@code heads * headWidth} wide.
 *
 * @param heads query heads, a multiple of the key-value heads
 * @param keyValueHeads key and value heads, at least 1
 * @param headWidth width of every head, at least the rotary width
 * @param rotary what turns queries and keys by position
 */
public record AttentionConfig(int heads, int keyValueHeads, int headWidth, RotaryConfig rotary) {
  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public AttentionConfig {
    Objects.requireNonNull(rotary, "rotary");
    Sizes.positive("heads", heads);
    Sizes.positive("keyValueHeads", keyValueHeads);
    Sizes.multiple("heads", heads, "keyValueHeads", keyValueHeads);
    if (headWidth < rotary.width()) {
      throw new IllegalArgumentException(
          "headWidth: expected at least the rotary width %d, found %d"
              .formatted(rotary.width(), headWidth));
    }
  }
}
