package dev.gdn.model.layer;

import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.NormedResidual;
import dev.gdn.model.config.ResidualStreams;
import java.util.Optional;

/** The weights with which one block of a layer reads and writes the residual stream. */
sealed interface ResidualWeights {
  /** Of the norm before the block. */
  record Before(NormWeights norm) implements ResidualWeights {}

  /** Of the norm after the block. */
  record After(NormWeights norm) implements ResidualWeights {}

  /**
   * With which a block reads and writes several streams.
   *
   * @param norm of each stream
   * @param down {@code [rank, residual width]}
   * @param up {@code [residual width, rank]}: with {@code down}, what gates the elements read
   * @param inject {@code [streams, residual width]}: what weighs the output; empty for the head
   */
  record Streams(StreamNorm norm, WeightMatrix down, WeightMatrix up, Optional<WeightMatrix> inject)
      implements ResidualWeights {

    static Streams bind(
        ModelConfig config, ResidualStreams c, WeightSource source, String prefix, boolean writes) {
      int width = config.residualWidth();
      String inject = prefix + "block_inject_weight.weight";
      return new Streams(
          StreamNorm.bind(config, source, prefix + "hc_norm.weight"),
          source.require(prefix + "input_mix_weight_down.weight", c.rank(), width).toMatrix(),
          source.require(prefix + "input_mix_weight_up.weight", width, c.rank()).toMatrix(),
          writes
              ? Optional.of(source.require(inject, c.count(), width).toMatrix())
              : Optional.empty());
    }
  }

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
      case ResidualStreams streams ->
          Streams.bind(config, streams, source, layer + "attn_hyper_connection.", true);
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
      case ResidualStreams streams ->
          Streams.bind(config, streams, source, layer + "mlp_hyper_connection.", true);
    };
  }

  /** Binds those with which the head reads the residual stream. */
  static ResidualWeights ofHead(ModelConfig config, WeightSource source) {
    return switch (config.residual()) {
      case NormedResidual normed -> new Before(norm(config, source, "norm.weight"));
      case ResidualStreams streams ->
          Streams.bind(config, streams, source, "hyper_connection_mixer.", false);
    };
  }

  private static NormWeights norm(ModelConfig config, WeightSource source, String name) {
    return ModelWeights.norm(config, source, name, config.hiddenSize());
  }
}
