package dev.gdn.model.layer;

import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.LatentAttentionConfig;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.config.ModelConfig;
import java.util.Optional;

/**
 * The weights of one decoder layer.
 *
 * @param ngrams the embedding of n-grams that the layer adds first; empty for none
 * @param mixerResidual how the token mixer reads and writes the residual stream
 * @param mixer gated delta rule or softmax attention
 * @param feedForwardResidual how the feed-forward reads and writes the residual stream
 * @param feedForward the feed-forward
 */
record LayerWeights(
    Optional<NgramWeights> ngrams,
    ResidualWeights mixerResidual,
    MixerWeights mixer,
    ResidualWeights feedForwardResidual,
    FeedForwardWeights feedForward) {

  static LayerWeights bind(ModelConfig config, WeightSource source, int index) {
    String prefix = "layers." + index + ".";
    LayerType type = config.layers().get(index);
    return new LayerWeights(
        config.ngrams(index).map(c -> NgramWeights.bind(config, c, source, index)),
        ResidualWeights.ofMixer(config, source, prefix, type),
        switch (type) {
          case LINEAR_ATTENTION -> GatedDeltaWeights.bind(config, source, prefix);
          case FULL_ATTENTION ->
              switch (config.attention()) {
                case AttentionConfig c -> AttentionWeights.bind(config, c, source, prefix);
                case LatentAttentionConfig c ->
                    LatentAttentionWeights.bind(config, c, source, prefix);
              };
        },
        ResidualWeights.ofFeedForward(config, source, prefix, type),
        switch (config.feedForwards().get(index)) {
          case DenseFeedForward dense ->
              DenseWeights.bind(
                  source, prefix + "mlp.", dense.intermediateSize(), config.hiddenSize());
          case MixtureOfExperts mixture ->
              MixtureWeights.bind(source, prefix + "mlp.", mixture, config.hiddenSize());
        });
  }
}
