package dev.gdn.model.layer;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.tensor.TokenTensor;

/** Runs a SwiGLU feed-forward, for one session. */
final class DenseBlock implements FeedForwardBlock {
  /** Activations that all feed-forwards of a session use in turn. */
  static final class Scratch {
    final TokenTensor gate;
    final TokenTensor up;

    Scratch(int intermediate, int tokens) {
      gate = TokenTensor.zeros(tokens, intermediate);
      up = TokenTensor.zeros(tokens, intermediate);
    }
  }

  private final Kernels kernels;
  private final Scratch s;
  private final Projection[] in;
  private final Projection[] out;

  DenseBlock(DenseWeights weights, Kernels kernels, Scratch scratch, TokenTensor y) {
    this.kernels = kernels;
    this.s = scratch;
    this.in =
        new Projection[] {
          new Projection(weights.gate(), s.gate), new Projection(weights.up(), s.up)
        };
    this.out = new Projection[] {new Projection(weights.down(), y)};
  }

  @Override
  public void apply(TokenTensor x, int tokens) {
    kernels.matrix().multiply(x, tokens, in);
    kernels.elementwise().gate(Activation.SILU, s.gate, s.up, s.up, tokens);
    kernels.matrix().multiply(s.up, tokens, out);
  }
}
