package dev.gdn.model.layer;

import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.tensor.TokenTensor;

/** x + norm(block(x)). */
record NormAfter(NormWeights norm, Kernels kernels) implements ResidualBlock {
  @Override
  public TokenTensor read(TokenTensor hidden, int tokens) {
    return hidden;
  }

  @Override
  public void write(TokenTensor y, TokenTensor hidden, int tokens) {
    kernels.normalization().rms(norm, y, y, tokens);
    kernels.elementwise().add(y, hidden, tokens);
  }
}
