package dev.gdn.core.kernel;

/**
 * The frequencies of a partial rotary embedding, and which of a token's three positions (temporal,
 * height, width) each pair follows. Text has one position, so its three are equal. Immutable.
 *
 * <p>In the interleaved three-section variant pair i follows the height if i mod 3 = 1 and i &lt; 3
 * · sections[1], the width if i mod 3 = 2 and i &lt; 3 · sections[2], else the temporal position.
 */
public final class RotaryEmbedding {
  private final float[] frequencies;
  private final byte[] axes;

  private RotaryEmbedding(float[] frequencies, byte[] axes) {
    this.frequencies = frequencies;
    this.axes = axes;
  }

  /**
   * Frequencies θ^(−2i / width) for pair i.
   *
   * @param width rotated elements of a head, even, at least 2
   * @param theta the base, over 0
   * @param sections lengths of the three sections, together width / 2; null for one position
   * @throws IllegalArgumentException if a number is out of range
   */
  public static RotaryEmbedding of(int width, double theta, int[] sections) {
    if (width < 2 || width % 2 != 0 || !(theta > 0) || Double.isInfinite(theta)) {
      throw new IllegalArgumentException(
          "rotary embedding: expected an even width and theta > 0, found %d and %s"
              .formatted(width, theta));
    }
    int pairs = width / 2;
    float[] frequencies = new float[pairs];
    byte[] axes = new byte[pairs];
    for (int i = 0; i < pairs; i++) {
      frequencies[i] = (float) (1 / Math.pow(theta, 2.0 * i / width));
    }
    if (sections != null) {
      if (sections.length != 3 || sections[0] + sections[1] + sections[2] != pairs) {
        throw new IllegalArgumentException(
            "rotary sections: expected three that add up to %d, found %s"
                .formatted(pairs, java.util.Arrays.toString(sections)));
      }
      for (int i = 0; i < pairs; i++) {
        int axis = i % 3;
        axes[i] = (byte) (axis > 0 && i < 3 * sections[axis] ? axis : 0);
      }
    }
    return new RotaryEmbedding(frequencies, axes);
  }

  /** Rotated pairs of a head. */
  public int pairs() {
    return frequencies.length;
  }

  /** Angles of text tokens at positions {@code first}, {@code first + 1}, … */
  public void fill(RotaryAngles angles, int first, int tokens) {
    check(angles, tokens);
    for (int t = 0; t < tokens; t++) {
      for (int i = 0; i < frequencies.length; i++) {
        set(angles, t, i, first + t);
      }
    }
  }

  /**
   * Angles of tokens with three positions each.
   *
   * @param positions {@code [3][tokens]}: temporal, height, width
   */
  public void fill(RotaryAngles angles, int[][] positions, int tokens) {
    check(angles, tokens);
    for (int t = 0; t < tokens; t++) {
      for (int i = 0; i < frequencies.length; i++) {
        set(angles, t, i, positions[axes[i]][t]);
      }
    }
  }

  // The product is rounded to float32 as in the reference, so that far positions agree with it.
  private void set(RotaryAngles angles, int token, int pair, int position) {
    float angle = position * frequencies[pair];
    int at = token * frequencies.length + pair;
    angles.cosines()[at] = (float) Math.cos(angle);
    angles.sines()[at] = (float) Math.sin(angle);
  }

  private void check(RotaryAngles angles, int tokens) {
    if (angles.pairs() != frequencies.length || tokens > angles.tokens()) {
      throw new IllegalArgumentException(
          "rotary angles: expected room for %d tokens of %d pairs, found %d of %d"
              .formatted(tokens, frequencies.length, angles.tokens(), angles.pairs()));
    }
  }
}
