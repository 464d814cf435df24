package dev.gdn.model.layer;

import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.config.ModelConfig;

/** Makes the ways in which a session's blocks read and write the residual stream. */
final class ResidualBlocks {
  private final ModelConfig config;
  private final Kernels kernels;
  private final int tokens;
  private final TokenTensor x;
  private GatedStreams.Scratch streams;

  /**
   * @param tokens most of a block
   */
  ResidualBlocks(ModelConfig config, Kernels kernels, int tokens) {
    this.config = config;
    this.kernels = kernels;
    this.tokens = tokens;
    this.x = TokenTensor.zeros(tokens, config.hiddenSize());
  }

  ResidualBlock of(ResidualWeights weights) {
    return switch (weights) {
      case ResidualWeights.Before w -> new NormBefore(w.norm(), kernels, x);
      case ResidualWeights.After w -> new NormAfter(w.norm(), kernels);
      case ResidualWeights.Streams w -> {
        if (streams == null) {
          streams = new GatedStreams.Scratch(config, w.down().rows(), tokens);
        }
        yield new GatedStreams(w, kernels, streams, x);
      }
    };
  }
}
