package dev.gdn.model.config;

/**
 * Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1) without rotary
 * embedding: keys and values of all heads are projections of one latent vector of each token, and a
 * part of the key is shared by all heads as it is.
 *
 * @param heads at least 1
 * @param latentWidth width of the latent vector
 * @param ownKeyWidth width of the part of a head's key that is projected from the latent vector
 * @param sharedKeyWidth width of the part that all heads share
 * @param valueWidth width of a head's value
 * @param latentNormEpsilon of the RMSNorm of the latent vector, over 0
 */
public record LatentAttentionConfig(
    int heads,
    int latentWidth,
    int ownKeyWidth,
    int sharedKeyWidth,
    int valueWidth,
    double latentNormEpsilon)
    implements FullAttentionConfig {
  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public LatentAttentionConfig {
    Sizes.positive("heads", heads);
    Sizes.positive("latentWidth", latentWidth);
    Sizes.positive("ownKeyWidth", ownKeyWidth);
    Sizes.positive("sharedKeyWidth", sharedKeyWidth);
    Sizes.positive("valueWidth", valueWidth);
    Sizes.epsilon("latentNormEpsilon", latentNormEpsilon);
  }

  /** Width of a head's query and key. */
  public int keyWidth() {
    return ownKeyWidth + sharedKeyWidth;
  }

  /** What a token leaves behind: its latent vector and the shared part of its keys. */
  public int cacheWidth() {
    return latentWidth + sharedKeyWidth;
  }
}
