package dev.gdn.model.layer;

import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.FeedForwardConfig;
import dev.gdn.model.config.MixtureOfExperts;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes the feed-forwards of a session. Layers of the same sizes run one after the other and share
 * their activations.
 */
final class FeedForwardBlocks {
  private final Kernels kernels;
  private final TokenTensor y;
  private final int tokens;
  private final Map<DenseFeedForward, DenseBlock.Scratch> dense = new HashMap<>();
  private final Map<MixtureOfExperts, MixtureBlock.Scratch> mixtures = new HashMap<>();

  /**
   * @param y takes the results
   * @param tokens most of a block
   */
  FeedForwardBlocks(Kernels kernels, TokenTensor y, int tokens) {
    this.kernels = kernels;
    this.y = y;
    this.tokens = tokens;
  }

  FeedForwardBlock of(FeedForwardConfig config, FeedForwardWeights weights) {
    return switch (config) {
      case DenseFeedForward c ->
          new DenseBlock(
              (DenseWeights) weights,
              kernels,
              dense.computeIfAbsent(c, d -> new DenseBlock.Scratch(d.intermediateSize(), tokens)),
              y);
      case MixtureOfExperts c ->
          new MixtureBlock(
              (MixtureWeights) weights,
              c,
              kernels,
              mixtures.computeIfAbsent(c, m -> new MixtureBlock.Scratch(m, y.width(), tokens)),
              y);
    };
  }
}
