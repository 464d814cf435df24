package dev.gdn.model.layer;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.config.ModelConfig;

/**
 * Reads and writes C residual streams side by side. With n_c the norm of stream c, and n all of
 * them,
 *
 * <pre>x = 1/C Σ_c σ(U_c silu(D n / C)) ∘ n_c;   stream c += 2σ(I_c n / C) block(x)</pre>
 */
final class GatedStreams implements ResidualBlock {
  /** Activations that all blocks of a session use in turn. */
  static final class Scratch {
    final TokenTensor normed;
    final TokenTensor low;
    final TokenTensor gate;
    final TokenTensor injection;
    final TokenTensor injected;

    Scratch(ModelConfig config, int rank, int tokens) {
      normed = TokenTensor.zeros(tokens, config.residualWidth());
      low = TokenTensor.zeros(tokens, rank);
      gate = TokenTensor.zeros(tokens, config.residualWidth());
      injection = TokenTensor.zeros(tokens, config.residualWidth() / config.hiddenSize());
      injected = TokenTensor.zeros(tokens, config.hiddenSize());
    }
  }

  private final ResidualWeights.Streams weights;
  private final Kernels kernels;
  private final Scratch s;
  private final TokenTensor x;
  private final int count;
  private final Projection[] down;
  private final Projection[] up;

  /**
   * @param x takes what blocks read, {@code [tokens, hidden]}
   */
  GatedStreams(ResidualWeights.Streams weights, Kernels kernels, Scratch scratch, TokenTensor x) {
    this.weights = weights;
    this.kernels = kernels;
    this.s = scratch;
    this.x = x;
    this.count = weights.norm().streams().size();
    Projection low = new Projection(weights.down(), s.low);
    this.down =
        weights
            .inject()
            .map(inject -> new Projection[] {low, new Projection(inject, s.injection)})
            .orElse(new Projection[] {low});
    this.up = new Projection[] {new Projection(weights.up(), s.gate)};
  }

  @Override
  public TokenTensor read(TokenTensor hidden, int tokens) {
    float share = 1f / count;
    weights.norm().apply(kernels, hidden, s.normed, tokens);
    kernels.matrix().multiply(s.normed, tokens, down);
    kernels.elementwise().scale(share, s.low, s.low, tokens);
    kernels.elementwise().apply(Activation.SILU, s.low, s.low, tokens);
    kernels.matrix().multiply(s.low, tokens, up);
    kernels.elementwise().gate(Activation.SIGMOID, s.gate, s.normed, s.gate, tokens);
    kernels.elementwise().scale(share, s.gate, s.gate, tokens);
    kernels.elementwise().scale(1, stream(s.gate, 0), x, tokens);
    for (int c = 1; c < count; c++) {
      kernels.elementwise().add(stream(s.gate, c), x, tokens);
    }
    return x;
  }

  @Override
  public void write(TokenTensor y, TokenTensor hidden, int tokens) {
    kernels.elementwise().scale(1f / count, s.injection, s.injection, tokens);
    kernels.elementwise().scale(2, y, y, tokens);
    for (int c = 0; c < count; c++) {
      TokenTensor weight = s.injection.columns(c, 1, 1);
      kernels.elementwise().gateTokens(Activation.SIGMOID, weight, y, s.injected, tokens);
      kernels.elementwise().add(s.injected, stream(hidden, c), tokens);
    }
  }

  private TokenTensor stream(TokenTensor all, int c) {
    return all.columns(c * x.width(), 1, x.width());
  }
}
