package dev.gdn.model.layer;

import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.config.ModelConfig;

/** Makes the ways in which a session's blocks read and write the residual stream. */
final class ResidualBlocks {
  private final Kernels kernels;
  private final TokenTensor x;

  /**
   * @param tokens most of a block
   */
  ResidualBlocks(ModelConfig config, Kernels kernels, int tokens) {
    this.kernels = kernels;
    this.x = TokenTensor.zeros(tokens, config.hiddenSize());
  }

  ResidualBlock of(ResidualWeights weights) {
    return switch (weights) {
      case ResidualWeights.Before w -> new NormBefore(w.norm(), kernels, x);
      case ResidualWeights.After w -> new NormAfter(w.norm(), kernels);
    };
  }
}
