package dev.gdn.core.rule;

import java.util.Objects;

/**
 * What a call of the gated delta rule does beside its tensors.
 *
 * @param scale multiplies the output; {@code 1 / sqrt(K)} in every published model
 * @param normalise whether q and k are L2-normalised inside: x · rsqrt(Σx² + 1e-6)
 * @param heads which key head a value head uses
 * @param chunk tokens of one chunk of the chunk form: 16, 32 or 64
 * @param update what a token writes
 */
public record RuleParameters(
    float scale, boolean normalise, HeadMapping heads, int chunk, StateUpdate update) {
  /** Added to the sum of squares by the L2 norm. */
  public static final float L2_EPSILON = 1e-6f;

  /**
   * @throws IllegalArgumentException if the scale is not finite or the chunk not 16, 32 or 64
   */
  public RuleParameters {
    Objects.requireNonNull(heads, "heads");
    Objects.requireNonNull(update, "update");
    if (!Float.isFinite(scale)) {
      throw new IllegalArgumentException("scale: expected a finite number, found " + scale);
    }
    if (chunk != 16 && chunk != 32 && chunk != 64) {
      throw new IllegalArgumentException("chunk: expected 16, 32 or 64, found " + chunk);
    }
  }

  /** With the delta rule as the update. */
  public RuleParameters(float scale, boolean normalise, HeadMapping heads, int chunk) {
    this(scale, normalise, heads, chunk, StateUpdate.DELTA);
  }

  /**
   * As published models use it: scale {@code 1 / sqrt(K)}, normalised. Chunks are of 32 tokens: at
   * the usual widths that is the least work for each token, and no result depends on it beyond
   * rounding.
   */
  public static RuleParameters standard(int keyWidth, HeadMapping heads) {
    return new RuleParameters((float) (1 / Math.sqrt(keyWidth)), true, heads, 32);
  }
}
