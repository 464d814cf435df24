package dev.gdn.model.layer;

import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.ModelConfig;

/**
 * The weights of a dense SwiGLU feed-forward: down · (silu(gate · x) ∘ (up · x)).
 *
 * @param gate {@code [intermediate, hidden]}
 * @param up {@code [intermediate, hidden]}
 * @param down {@code [hidden, intermediate]}
 */
record FeedForwardWeights(WeightMatrix gate, WeightMatrix up, WeightMatrix down) {

  static FeedForwardWeights bind(
      ModelConfig config, DenseFeedForward dense, WeightSource source, String layer) {
    int hidden = config.hiddenSize();
    int intermediate = dense.intermediateSize();
    String prefix = layer + "mlp.";
    return new FeedForwardWeights(
        source.require(prefix + "gate_proj.weight", intermediate, hidden).toMatrix(),
        source.require(prefix + "up_proj.weight", intermediate, hidden).toMatrix(),
        source.require(prefix + "down_proj.weight", hidden, intermediate).toMatrix());
  }
}
