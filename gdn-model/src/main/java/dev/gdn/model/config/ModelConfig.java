package dev.gdn.model.config;

import java.util.List;
import java.util.Objects;

/**
 * A model's sizes and its plan of layers. Immutable.
 *
 * @param architecture the family
 * @param vocabularySize rows of the embedding: token ids are below it
 * @param hiddenSize width of the residual stream
 * @param layers how each layer mixes tokens, from the first to the last
 * @param normEpsilon added to the mean square by every RMSNorm
 * @param tiedEmbedding whether the head's matrix is the embedding
 * @param maxPositions longest context the model was made for
 * @param attention the full-attention layers
 * @param linearAttention the linear-attention layers
 * @param feedForward what follows the token mixing in every layer
 */
public record ModelConfig(
    Architecture architecture,
    int vocabularySize,
    int hiddenSize,
    List<LayerType> layers,
    double normEpsilon,
    boolean tiedEmbedding,
    int maxPositions,
    AttentionConfig attention,
    LinearAttentionConfig linearAttention,
    FeedForwardConfig feedForward) {
  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public ModelConfig {
    Objects.requireNonNull(architecture, "architecture");
    Objects.requireNonNull(attention, "attention");
    Objects.requireNonNull(linearAttention, "linearAttention");
    Objects.requireNonNull(feedForward, "feedForward");
    layers = List.copyOf(layers);
    Sizes.positive("vocabularySize", vocabularySize);
    Sizes.positive("hiddenSize", hiddenSize);
    Sizes.positive("number of layers", layers.size());
    Sizes.positive("maxPositions", maxPositions);
    if (!(normEpsilon > 0) || Double.isInfinite(normEpsilon)) {
      throw new IllegalArgumentException(
          "normEpsilon: expected a number over 0, found " + normEpsilon);
    }
  }
}
