package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;

/**
 * Cosines and sines of a block of tokens, {@code [tokens, pairs]} each. Used by one thread at a
 * time.
 */
public final class RotaryAngles {
  private final int pairs;
  private final float[] cosines;
  private final float[] sines;

  /** Room for {@code tokens} tokens of {@code pairs} pairs. */
  public RotaryAngles(int tokens, int pairs) {
    this.pairs = pairs;
    this.cosines = new float[Math.multiplyExact(tokens, pairs)];
    this.sines = new float[cosines.length];
  }

  /** Pairs of one head that are rotated. */
  public int pairs() {
    return pairs;
  }

  /** Tokens there is room for. */
  public int tokens() {
    return pairs == 0 ? Integer.MAX_VALUE : cosines.length / pairs;
  }

  /** {@code [tokens, pairs]}. */
  public float[] cosines() {
    return cosines;
  }

  /** {@code [tokens, pairs]}. */
  public float[] sines() {
    return sines;
  }

  /**
   * Checks that a view can be rotated by these angles.
   *
   * @throws IllegalArgumentException naming what does not fit
   */
  public void check(TokenTensor x, int tokens) {
    x.check("rotated view", tokens, x.heads(), x.width());
    if (x.width() < 2L * pairs) {
      throw new IllegalArgumentException(
          "rotated view: expected a width of at least %d, found %d"
              .formatted(2L * pairs, x.width()));
    }
    if (tokens() < tokens) {
      throw new IllegalArgumentException(
          "rotary angles: expected %d tokens, found %d".formatted(tokens, tokens()));
    }
  }
}
