package dev.gdn.model.layer;

import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.ModelConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An RMSNorm of each residual stream by itself, with weights of its own.
 *
 * @param streams one norm for each, {@code [hidden]}
 */
record StreamNorm(List<NormWeights> streams) {
  /** Binds norms whose weights stand one after the other. */
  static StreamNorm bind(ModelConfig config, WeightSource source, String name) {
    int hidden = config.hiddenSize();
    NormWeights all = ModelWeights.norm(config, source, name, config.residualWidth());
    List<NormWeights> streams = new ArrayList<>();
    for (int from = 0; from < config.residualWidth(); from += hidden) {
      float[] weight = Arrays.copyOfRange(all.weight(), from, from + hidden);
      streams.add(new NormWeights(weight, all.epsilon(), all.zeroCentred()));
    }
    return new StreamNorm(List.copyOf(streams));
  }

  /**
   * Norms a block of tokens.
   *
   * @param x {@code [tokens, residual width]}
   * @param y of the same shape; may be the same view as {@code x}
   */
  void apply(Kernels kernels, TokenTensor x, TokenTensor y, int tokens) {
    for (int i = 0; i < streams.size(); i++) {
      NormWeights norm = streams.get(i);
      kernels.normalization().rms(norm, stream(x, i), stream(y, i), tokens);
    }
  }

  private TokenTensor stream(TokenTensor all, int i) {
    int width = streams.get(i).weight().length;
    return all.columns(i * width, 1, width);
  }
}
