package dev.gdn.model.config;

/**
 * The linear-attention layers.
 *
 * @param keyHeads query and key heads (H), at least 1
 * @param valueHeads value heads (HV), a multiple of the key heads
 * @param keyWidth width of a query or key head (K)
 * @param valueWidth width of a value head (V)
 * @param convolutionWidth tokens the short convolution sees, the present one included
 */
public record LinearAttentionConfig(
    int keyHeads, int valueHeads, int keyWidth, int valueWidth, int convolutionWidth) {
  /** Most numbers in the state of one layer; published models have 2^20. */
  public static final int MAXIMUM_STATE = 1 << 26;

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public LinearAttentionConfig {
    Sizes.positive("keyHeads", keyHeads);
    Sizes.positive("valueHeads", valueHeads);
    Sizes.multiple("valueHeads", valueHeads, "keyHeads", keyHeads);
    Sizes.positive("keyWidth", keyWidth);
    Sizes.positive("valueWidth", valueWidth);
    Sizes.positive("convolutionWidth", convolutionWidth);
    if ((long) valueHeads * keyWidth > MAXIMUM_STATE / valueWidth) {
      throw new IllegalArgumentException(
          "state: expected at most %d numbers, found %d heads of %d x %d"
              .formatted(MAXIMUM_STATE, valueHeads, keyWidth, valueWidth));
    }
  }

  /** Width of all query heads, and of all key heads: H · K. */
  public int keySize() {
    return keyHeads * keyWidth;
  }

  /** Width of all value heads: HV · V. */
  public int valueSize() {
    return valueHeads * valueWidth;
  }

  /** Numbers in the recurrent state of one layer: HV · K · V. */
  public int stateSize() {
    return valueHeads * keyWidth * valueWidth;
  }

  /** Channels of the short convolution: query, key and value side by side. */
  public int convolutionChannels() {
    return 2 * keySize() + valueSize();
  }
}
