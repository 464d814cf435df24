package dev.gdn.model.config;

import java.util.Objects;

/**
 * The linear-attention layers.
 *
 * @param keyHeads query and key heads (H), at least 1
 * @param valueHeads value heads (HV), a multiple of the key heads
 * @param keyWidth width of a query or key head (K)
 * @param valueWidth width of a value head (V)
 * @param convolutionWidth tokens the short convolution sees, the present one included
 * @param variant in what the layers differ from Qwen3.5's
 */
public record LinearAttentionConfig(
    int keyHeads,
    int valueHeads,
    int keyWidth,
    int valueWidth,
    int convolutionWidth,
    DeltaVariant variant) {
  /** Most numbers in the state of one layer; published models have 2^20. */
  public static final int MAXIMUM_STATE = 1 << 26;

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public LinearAttentionConfig {
    Objects.requireNonNull(variant, "variant");
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

  /**
   * As in Qwen3.5.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public LinearAttentionConfig(
      int keyHeads, int valueHeads, int keyWidth, int valueWidth, int convolutionWidth) {
    this(keyHeads, valueHeads, keyWidth, valueWidth, convolutionWidth, DeltaVariant.STANDARD);
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

  /** Numbers that the decay of a token is: HV, or HV · K. */
  public int decaySize() {
    return switch (variant.decay()) {
      case PER_HEAD -> valueHeads;
      case PER_KEY_CHANNEL -> valueHeads * keyWidth;
    };
  }

  /** Rank of the projections of decay and output gate where the decay is per key channel. */
  public int gateRank() {
    return keyWidth;
  }
}
