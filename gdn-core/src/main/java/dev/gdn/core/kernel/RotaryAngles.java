package dev.gdn.core.kernel;

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
}
