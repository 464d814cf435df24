package dev.gdn.model.config;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A model's sizes and its plan of layers. Immutable.
 *
 * @param architecture the family
 * @param vocabularySize rows of the embedding: token ids are below it
 * @param hiddenSize width of the residual stream, or of each of several
 * @param layers how each layer mixes tokens, from the first to the last
 * @param normEpsilon added to the mean square by every RMSNorm
 * @param tiedEmbedding whether the head's matrix is the embedding
 * @param maxPositions longest context the model was made for
 * @param attention the full-attention layers
 * @param linearAttention the linear-attention layers
 * @param feedForwards what follows the token mixing, one for each layer
 * @param residual how layers read and write the residual stream
 * @param ngrams the embedding of n-grams that some layers add; empty if none does
 */
public record ModelConfig(
    Architecture architecture,
    int vocabularySize,
    int hiddenSize,
    List<LayerType> layers,
    double normEpsilon,
    boolean tiedEmbedding,
    int maxPositions,
    FullAttentionConfig attention,
    LinearAttentionConfig linearAttention,
    List<FeedForwardConfig> feedForwards,
    ResidualConfig residual,
    Optional<NgramConfig> ngrams) {
  private static final int MAXIMUM_WIDTH = 1 << 26;

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public ModelConfig {
    Objects.requireNonNull(residual, "residual");
    Objects.requireNonNull(ngrams, "ngrams");
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
    Sizes.epsilon("normEpsilon", normEpsilon);
    if (residual instanceof ResidualStreams streams) {
      Sizes.product("streams", streams.count(), "hiddenSize", hiddenSize, MAXIMUM_WIDTH);
    }
    if (ngrams.isPresent()) {
      checkNgrams(ngrams.get(), residual, vocabularySize, layers.size());
    }
  }

  private static void checkNgrams(
      NgramConfig ngrams, ResidualConfig residual, int vocabulary, int layers) {
    if (!(residual instanceof ResidualStreams)) {
      throw new IllegalArgumentException("ngrams: expected residual streams, found one stream");
    }
    if (ngrams.endToken() < 0 || ngrams.endToken() >= vocabulary) {
      throw new IllegalArgumentException(
          "ngrams: expected an end token below %d, found %d"
              .formatted(vocabulary, ngrams.endToken()));
    }
    for (int layer : ngrams.layers()) {
      if (layer < 0 || layer >= layers) {
        throw new IllegalArgumentException(
            "ngrams: expected layers below %d, found %d".formatted(layers, layer));
      }
    }
  }

  /** The n-grams of a layer, if it has any. */
  public Optional<NgramConfig> ngrams(int layer) {
    return ngrams.filter(c -> c.layers().contains(layer));
  }

  /**
   * With one residual stream, norms before the blocks and no n-grams.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public ModelConfig(
      Architecture architecture,
      int vocabularySize,
      int hiddenSize,
      List<LayerType> layers,
      double normEpsilon,
      boolean tiedEmbedding,
      int maxPositions,
      FullAttentionConfig attention,
      LinearAttentionConfig linearAttention,
      List<FeedForwardConfig> feedForwards) {
    this(
        architecture,
        vocabularySize,
        hiddenSize,
        layers,
        normEpsilon,
        tiedEmbedding,
        maxPositions,
        attention,
        linearAttention,
        feedForwards,
        NormedResidual.BEFORE,
        Optional.empty());
  }

  /** Width of all residual streams together. */
  public int residualWidth() {

    return switch (residual) {
      case NormedResidual one -> hiddenSize;
      case ResidualStreams streams -> streams.count() * hiddenSize;
    };
  }
}
