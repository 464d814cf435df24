package dev.gdn.kernels.scalar;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.DecayGateWeights;
import dev.gdn.core.kernel.Elementwise;
import dev.gdn.core.tensor.Rows;
import dev.gdn.core.tensor.TokenTensor;

/** Pointwise operations, token by token. */
final class ScalarElementwise implements Elementwise {
  private final Workers workers;

  ScalarElementwise(Workers workers) {
    this.workers = workers;
  }

  @Override
  public void apply(Activation activation, TokenTensor x, TokenTensor y, int tokens) {
    x.check("activation input", tokens, x.heads(), x.width());
    y.check("activation output", tokens, x.heads(), x.width());
    workers.run(
        tokens,
        (t, worker) -> {
          for (int h = 0; h < x.heads(); h++) {
            int xAt = x.at(t, h);
            int yAt = y.at(t, h);
            for (int i = 0; i < x.width(); i++) {
              y.data()[yAt + i] = Functions.apply(activation, x.data()[xAt + i]);
            }
          }
        });
  }

  @Override
  public void gate(
      Activation activation, TokenTensor gate, TokenTensor x, TokenTensor y, int tokens) {
    gate.check("gate", tokens, x.heads(), x.width());
    x.check("gated input", tokens, x.heads(), x.width());
    y.check("gated output", tokens, x.heads(), x.width());
    workers.run(
        tokens,
        (t, worker) -> {
          for (int h = 0; h < x.heads(); h++) {
            int gateAt = gate.at(t, h);
            int xAt = x.at(t, h);
            int yAt = y.at(t, h);
            for (int i = 0; i < x.width(); i++) {
              y.data()[yAt + i] =
                  Functions.apply(activation, gate.data()[gateAt + i]) * x.data()[xAt + i];
            }
          }
        });
  }

  @Override
  public void gateTokens(
      Activation activation, TokenTensor gate, TokenTensor x, TokenTensor y, int tokens) {
    gate.check("gate of tokens", tokens, 1, 1);
    x.check("gated input", tokens, x.heads(), x.width());
    y.check("gated output", tokens, x.heads(), x.width());
    workers.run(
        tokens,
        (t, worker) -> {
          float factor = Functions.apply(activation, gate.data()[gate.at(t)]);
          for (int h = 0; h < x.heads(); h++) {
            Rows.scale(factor, x.data(), x.at(t, h), y.data(), y.at(t, h), x.width());
          }
        });
  }

  @Override
  public void scale(float factor, TokenTensor x, TokenTensor y, int tokens) {
    x.check("scaled input", tokens, x.heads(), x.width());
    y.check("scaled output", tokens, x.heads(), x.width());
    workers.run(
        tokens,
        (t, worker) -> {
          for (int h = 0; h < x.heads(); h++) {
            Rows.scale(factor, x.data(), x.at(t, h), y.data(), y.at(t, h), x.width());
          }
        });
  }

  @Override
  public void add(TokenTensor x, TokenTensor y, int tokens) {
    x.check("summand", tokens, x.heads(), x.width());
    y.check("sum", tokens, x.heads(), x.width());
    workers.run(
        tokens,
        (t, worker) -> {
          for (int h = 0; h < x.heads(); h++) {
            Rows.addScaled(1, x.data(), x.at(t, h), y.data(), y.at(t, h), x.width());
          }
        });
  }

  @Override
  public void decayGate(DecayGateWeights weights, TokenTensor a, TokenTensor g, int tokens) {
    int heads = weights.rate().length;
    a.check("decay gate input", tokens, 1, heads);
    g.check("decay gate output", tokens, 1, heads);
    for (int t = 0; t < tokens; t++) {
      int from = a.at(t);
      int to = g.at(t);
      for (int h = 0; h < heads; h++) {
        double x = (double) a.data()[from + h] + weights.bias()[h];
        g.data()[to + h] = (float) (weights.rate()[h] * Functions.softplus(x));
      }
    }
  }
}
