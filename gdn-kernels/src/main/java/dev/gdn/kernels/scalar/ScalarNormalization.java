package dev.gdn.kernels.scalar;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.kernel.Normalization;
import dev.gdn.core.tensor.Rows;
import dev.gdn.core.tensor.TokenTensor;

/** RMS and L2 norms, token by token; squares are summed in float64. */
final class ScalarNormalization implements Normalization {
  private final Workers workers;

  ScalarNormalization(Workers workers) {
    this.workers = workers;
  }

  @Override
  public void rms(NormWeights weights, TokenTensor x, TokenTensor y, int tokens) {
    weights.check(x, y, tokens);
    workers.run(
        tokens,
        (t, worker) -> {
          for (int h = 0; h < x.heads(); h++) {
            rmsRow(weights, x.data(), x.at(t, h), y.data(), y.at(t, h));
          }
        });
  }

  @Override
  public void gatedRms(
      NormWeights weights,
      TokenTensor x,
      TokenTensor gate,
      Activation activation,
      TokenTensor y,
      int tokens) {
    weights.check(x, y, tokens);
    gate.check("norm gate", tokens, x.heads(), x.width());
    workers.run(
        tokens,
        (t, worker) -> {
          for (int h = 0; h < x.heads(); h++) {
            int at = y.at(t, h);
            int gateAt = gate.at(t, h);
            rmsRow(weights, x.data(), x.at(t, h), y.data(), at);
            for (int i = 0; i < x.width(); i++) {
              y.data()[at + i] *= Functions.apply(activation, gate.data()[gateAt + i]);
            }
          }
        });
  }

  @Override
  public void l2(float epsilon, TokenTensor x, TokenTensor y, int tokens) {
    x.check("norm input", tokens, x.heads(), x.width());
    y.check("norm output", tokens, x.heads(), x.width());
    workers.run(
        tokens,
        (t, worker) -> {
          for (int h = 0; h < x.heads(); h++) {
            int at = x.at(t, h);
            float factor = Rows.inverseNorm(epsilon, x.data(), at, x.width());
            Rows.scale(factor, x.data(), at, y.data(), y.at(t, h), x.width());
          }
        });
  }

  private static void rmsRow(NormWeights weights, float[] x, int xAt, float[] y, int yAt) {
    float[] weight = weights.weight();
    double squares = 0;
    for (int i = 0; i < weight.length; i++) {
      squares += (double) x[xAt + i] * x[xAt + i];
    }
    float factor = (float) (1 / Math.sqrt(squares / weight.length + weights.epsilon()));
    float centre = weights.zeroCentred() ? 1 : 0;
    for (int i = 0; i < weight.length; i++) {
      y[yAt + i] = x[xAt + i] * factor * (centre + weight[i]);
    }
  }
}
