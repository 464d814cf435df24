package dev.gdn.model.layer;

import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.WeightSource;

/**
 * The weights of a SwiGLU feed-forward: down · (silu(gate · x) ∘ (up · x)).
 *
 * @param gate {@code [intermediate, hidden]}
 * @param up {@code [intermediate, hidden]}
 * @param down {@code [hidden, intermediate]}
 */
record DenseWeights(WeightMatrix gate, WeightMatrix up, WeightMatrix down)
    implements FeedForwardWeights {

  /**
   * Binds the weights.
   *
   * @param prefix of their names, for example {@code layers.0.mlp.}
   */
  static DenseWeights bind(WeightSource source, String prefix, int intermediate, int hidden) {
    return new DenseWeights(
        source.require(prefix + "gate_proj.weight", intermediate, hidden).toMatrix(),
        source.require(prefix + "up_proj.weight", intermediate, hidden).toMatrix(),
        source.require(prefix + "down_proj.weight", hidden, intermediate).toMatrix());
  }
}
