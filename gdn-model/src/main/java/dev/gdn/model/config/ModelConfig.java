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
 * @param feedForwards what follows the token mixing, one for each layer
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
    List<FeedForwardConfig> feedForwards) {
  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public ModelConfig {
    Objects.requireNonNull(architecture, "architecture");
    Objects.requireNonNull(attention, "attention");
    Objects.requireNonNull(linearAttention, "linearAttention");
    layers = List.copyOf(layers);
    feedForwards = List.copyOf(feedForwards);
    Sizes.positive("vocabularySize", vocabularySize);
    Sizes.positive("hiddenSize", hiddenSize);
    Sizes.positive("number of layers", layers.size());
    if (feedForwards.size() != layers.size()) {
      throw new IllegalArgumentException(
          "feedForwards: expected %d, one for each layer, found %d"
              .formatted(layers.size(), feedForwards.size()));
    }
    Sizes.positive("maxPositions", maxPositions);
    if (!(normEpsilon > 0) || Double.isInfinite(normEpsilon)) {
      throw new IllegalArgumentException(
          "normEpsilon: expected a number over 0, found " + normEpsilon);
    }
  }
}
