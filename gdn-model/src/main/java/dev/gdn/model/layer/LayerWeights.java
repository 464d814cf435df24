package dev.gdn.model.layer;

import dev.gdn.core.kernel.NormWeights;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.config.ModelConfig;

/**
 * The weights of one decoder layer.
 *
 * @param mixerNorm before the token mixer
 * @param mixer gated delta rule or softmax attention
 * @param feedForwardNorm before the feed-forward
 * @param feedForward the feed-forward
 */
record LayerWeights(
    NormWeights mixerNorm,
    MixerWeights mixer,
    NormWeights feedForwardNorm,
    FeedForwardWeights feedForward) {

  static LayerWeights bind(ModelConfig config, WeightSource source, int index) {
    String prefix = "layers." + index + ".";
    LayerType type = config.layers().get(index);
    return new LayerWeights(
        ModelWeights.norm(config, source, prefix + "input_layernorm.weight", config.hiddenSize()),
        switch (type) {
          case LINEAR_ATTENTION -> GatedDeltaWeights.bind(config, source, prefix);
          case FULL_ATTENTION -> AttentionWeights.bind(config, source, prefix);
        },
        ModelWeights.norm(
            config, source, prefix + "post_attention_layernorm.weight", config.hiddenSize()),
        switch (config.feedForwards().get(index)) {
          case DenseFeedForward dense ->
              DenseWeights.bind(
                  source, prefix + "mlp.", dense.intermediateSize(), config.hiddenSize());
          case MixtureOfExperts mixture ->
              MixtureWeights.bind(source, prefix + "mlp.", mixture, config.hiddenSize());
        });
  }
}
