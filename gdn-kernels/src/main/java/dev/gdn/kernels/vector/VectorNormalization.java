package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.kernel.Normalization;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/** RMS and L2 norms, spread over blocks of tokens. */
final class VectorNormalization implements Normalization {
  private final Workers workers;
  private final float[][] scratch;
  private final Activations[] activations;
  private final Workers.Task rmsTask = this::rmsBlock;
  private final Workers.Task l2Task = this::l2Block;

  // The arguments of the call in progress; no gate for the plain norms.
  private NormWeights weights;
  private TokenTensor gate;
  private Activation activation;
  private float epsilon;
  private TokenTensor x;
  private TokenTensor y;
  private int tokens;
  private int block;

  VectorNormalization(Workers workers) {
    this.workers = workers;
    this.scratch = new float[workers.threads()][COUNT];
    this.activations = new Activations[workers.threads()];
    Arrays.setAll(activations, w -> new Activations());
  }

  @Override
  public void rms(NormWeights weights, TokenTensor x, TokenTensor y, int tokens) {
    weights.check(x, y, tokens);
    this.weights = weights;
    this.gate = null;
    run(x, y, tokens, rmsTask);
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
    this.weights = weights;
    this.gate = gate;
    this.activation = activation;
    run(x, y, tokens, rmsTask);
  }

  @Override
  public void l2(float epsilon, TokenTensor x, TokenTensor y, int tokens) {
    x.check("norm input", tokens, x.heads(), x.width());
    y.check("norm output", tokens, x.heads(), x.width());
    this.epsilon = epsilon;
    run(x, y, tokens, l2Task);
  }

  private void run(TokenTensor x, TokenTensor y, int tokens, Workers.Task task) {
    this.x = x;
    this.y = y;
    this.tokens = tokens;
    block = TokenBlocks.size(x.heads() * x.width());
    workers.run(TokenBlocks.count(tokens, block), task);
  }

  private void rmsBlock(int part, int worker) {
    int end = Math.min(tokens, (part + 1) * block);
    int width = x.width();
    for (int t = part * block; t < end; t++) {
      for (int h = 0; h < x.heads(); h++) {
        int from = x.at(t, h);
        int to = y.at(t, h);
        double squares = Lanes.sumOfSquares(x.data(), from, width, scratch[worker]);
        float factor = (float) (1 / Math.sqrt(squares / width + weights.epsilon()));
        float centre = weights.zeroCentred() ? 1 : 0;
        weigh(x.data(), from, factor, weights.weight(), centre, y.data(), to, width);
        if (gate != null) {
          activations[worker].gate(
              activation, gate.data(), gate.at(t, h), y.data(), to, y.data(), to, width);
        }
      }
    }
  }

  private void l2Block(int part, int worker) {
    int end = Math.min(tokens, (part + 1) * block);
    int width = x.width();
    for (int t = part * block; t < end; t++) {
      for (int h = 0; h < x.heads(); h++) {
        int from = x.at(t, h);
        double squares = Lanes.sumOfSquares(x.data(), from, width, scratch[worker]);
        float factor = (float) (1 / Math.sqrt(squares + epsilon));
        Lanes.scale(factor, x.data(), from, y.data(), y.at(t, h), width);
      }
    }
  }

  // y = factor · x · (centre + weight).
  static void weigh(
      float[] x, int xAt, float factor, float[] weight, float centre, float[] y, int yAt, int n) {
    int i = 0;
    for (; i <= n - COUNT; i += COUNT) {
      FloatVector w = FloatVector.fromArray(F, weight, i).add(centre);
      FloatVector.fromArray(F, x, xAt + i).mul(factor).mul(w).intoArray(y, yAt + i);
    }
    for (; i < n; i++) {
      y[yAt + i] = x[xAt + i] * factor * (centre + weight[i]);
    }
  }
}
