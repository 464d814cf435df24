package dev.gdn.model.layer;

import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.tensor.TokenTensor;

/**
 * x + block(norm(x)).
 *
 * @param normed takes norm(x)
 */
record NormBefore(NormWeights norm, Kernels kernels, TokenTensor normed) implements ResidualBlock {
  @Override
  public TokenTensor read(TokenTensor hidden, int tokens) {
    kernels.normalization().rms(norm, hidden, normed, tokens);
    return normed;
  }

  @Override
  public void write(TokenTensor y, TokenTensor hidden, int tokens) {
    kernels.elementwise().add(y, hidden, tokens);
  }
}
