package dev.gdn.model.layer;

import dev.gdn.core.kernel.NormWeights;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.NormedResidual;

/** The weights with which one block of a layer reads and writes the residual stream. */
sealed interface ResidualWeights {
  /** Of the norm before the block. */
  record Before(NormWeights norm) implements ResidualWeights {}

  /** Of the norm after the block. */
  record After(NormWeights norm) implements ResidualWeights {}

  /**
   * Binds those of a layer's token mixer.
   *
   * @param layer prefix of the layer's tensors, for example {@code layers.0.}
   */
  static ResidualWeights ofMixer(
      ModelConfig config, WeightSource source, String layer, LayerType type) {
    return switch (config.residual()) {
      case NormedResidual normed ->
          normed.normedOutputs().contains(type)
              ? new After(norm(config, source, layer + "post_attention_layernorm.weight"))
              : new Before(norm(config, source, layer + "input_layernorm.weight"));
    };
  }

  /** Binds those of a layer's feed-forward. */
  static ResidualWeights ofFeedForward(
      ModelConfig config, WeightSource source, String layer, LayerType type) {
    return switch (config.residual()) {
      case NormedResidual normed ->
          normed.normedOutputs().contains(type)
              ? new After(norm(config, source, layer + "post_feedforward_layernorm.weight"))
              : new Before(norm(config, source, layer + "post_attention_layernorm.weight"));
    };
  }

  /** Binds those with which the head reads the residual stream. */
  static ResidualWeights ofHead(ModelConfig config, WeightSource source) {
    return switch (config.residual()) {
      case NormedResidual normed -> new Before(norm(config, source, "norm.weight"));
    };
  }

  private static NormWeights norm(ModelConfig config, WeightSource source, String name) {
    return ModelWeights.norm(config, source, name, config.hiddenSize());
  }
}
