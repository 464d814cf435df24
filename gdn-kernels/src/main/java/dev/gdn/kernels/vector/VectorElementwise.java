package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.DecayGateWeights;
import dev.gdn.core.kernel.Elementwise;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/** Pointwise operations, spread over blocks of tokens. */
final class VectorElementwise implements Elementwise {
  private final Workers workers;
  private final Activations[] activations;
  private final Workers.Task applyTask = this::applyBlock;
  private final Workers.Task gateTask = this::gateBlock;
  private final Workers.Task gateTokensTask = this::gateTokensBlock;
  private final Workers.Task scaleTask = this::scaleBlock;
  private final Workers.Task addTask = this::addBlock;

  // The arguments of the call in progress.
  private Activation activation;
  private TokenTensor gate;
  private float factor;
  private TokenTensor x;
  private TokenTensor y;
  private int tokens;
  private int block;

  VectorElementwise(Workers workers) {
    this.workers = workers;
    this.activations = new Activations[workers.threads()];
    Arrays.setAll(activations, w -> new Activations());
  }

  @Override
  public void apply(Activation activation, TokenTensor x, TokenTensor y, int tokens) {
    x.check("activation input", tokens, x.heads(), x.width());
    y.check("activation output", tokens, x.heads(), x.width());
    this.activation = activation;
    run(x, y, tokens, applyTask);
  }

  @Override
  public void gate(
      Activation activation, TokenTensor gate, TokenTensor x, TokenTensor y, int tokens) {
    gate.check("gate", tokens, x.heads(), x.width());
    x.check("gated input", tokens, x.heads(), x.width());
    y.check("gated output", tokens, x.heads(), x.width());
    this.activation = activation;
    this.gate = gate;
    run(x, y, tokens, gateTask);
  }

  @Override
  public void gateTokens(
      Activation activation, TokenTensor gate, TokenTensor x, TokenTensor y, int tokens) {
    gate.check("gate of tokens", tokens, 1, 1);
    x.check("gated input", tokens, x.heads(), x.width());
    y.check("gated output", tokens, x.heads(), x.width());
    this.activation = activation;
    this.gate = gate;
    run(x, y, tokens, gateTokensTask);
  }

  @Override
  public void scale(float factor, TokenTensor x, TokenTensor y, int tokens) {
    x.check("scaled input", tokens, x.heads(), x.width());
    y.check("scaled output", tokens, x.heads(), x.width());
    this.factor = factor;
    run(x, y, tokens, scaleTask);
  }

  @Override
  public void add(TokenTensor x, TokenTensor y, int tokens) {
    x.check("summand", tokens, x.heads(), x.width());
    y.check("sum", tokens, x.heads(), x.width());
    run(x, y, tokens, addTask);
  }

  @Override
  public void decayGate(DecayGateWeights weights, TokenTensor a, TokenTensor g, int tokens) {
    int heads = weights.rate().length;
    a.check("decay gate input", tokens, 1, heads);
    g.check("decay gate output", tokens, 1, heads);
    for (int t = 0; t < tokens; t++) {
      int to = g.at(t);
      sum(a.data(), a.at(t), weights.bias(), g.data(), to, heads);
      activations[0].softplus(g.data(), to, g.data(), to, heads);
      multiply(weights.rate(), g.data(), to, heads);
    }
  }

  private static void sum(float[] x, int xAt, float[] bias, float[] y, int yAt, int n) {
    int i = 0;
    for (; i <= n - COUNT; i += COUNT) {
      FloatVector b = FloatVector.fromArray(F, bias, i);
      FloatVector.fromArray(F, x, xAt + i).add(b).intoArray(y, yAt + i);
    }
    for (; i < n; i++) {
      y[yAt + i] = x[xAt + i] + bias[i];
    }
  }

  private static void multiply(float[] factors, float[] y, int at, int n) {
    int i = 0;
    for (; i <= n - COUNT; i += COUNT) {
      FloatVector factor = FloatVector.fromArray(F, factors, i);
      FloatVector.fromArray(F, y, at + i).mul(factor).intoArray(y, at + i);
    }
    for (; i < n; i++) {
      y[at + i] *= factors[i];
    }
  }

  private void run(TokenTensor x, TokenTensor y, int tokens, Workers.Task task) {
    this.x = x;
    this.y = y;
    this.tokens = tokens;
    block = TokenBlocks.size(x.heads() * x.width());
    workers.run(TokenBlocks.count(tokens, block), task);
  }

  private void applyBlock(int part, int worker) {
    int end = Math.min(tokens, (part + 1) * block);
    for (int t = part * block; t < end; t++) {
      for (int h = 0; h < x.heads(); h++) {
        activations[worker].apply(
            activation, x.data(), x.at(t, h), y.data(), y.at(t, h), x.width());
      }
    }
  }

  private void gateBlock(int part, int worker) {
    int end = Math.min(tokens, (part + 1) * block);
    for (int t = part * block; t < end; t++) {
      for (int h = 0; h < x.heads(); h++) {
        activations[worker].gate(
            activation,
            gate.data(),
            gate.at(t, h),
            x.data(),
            x.at(t, h),
            y.data(),
            y.at(t, h),
            x.width());
      }
    }
  }

  private void gateTokensBlock(int part, int worker) {
    int end = Math.min(tokens, (part + 1) * block);
    for (int t = part * block; t < end; t++) {
      float factor = activations[worker].apply(activation, gate.data()[gate.at(t)]);
      for (int h = 0; h < x.heads(); h++) {
        Lanes.scale(factor, x.data(), x.at(t, h), y.data(), y.at(t, h), x.width());
      }
    }
  }

  private void scaleBlock(int part, int worker) {
    int end = Math.min(tokens, (part + 1) * block);
    for (int t = part * block; t < end; t++) {
      for (int h = 0; h < x.heads(); h++) {
        Lanes.scale(factor, x.data(), x.at(t, h), y.data(), y.at(t, h), x.width());
      }
    }
  }

  private void addBlock(int part, int worker) {
    int end = Math.min(tokens, (part + 1) * block);
    for (int t = part * block; t < end; t++) {
      for (int h = 0; h < x.heads(); h++) {
        add(x.data(), x.at(t, h), y.data(), y.at(t, h), x.width());
      }
    }
  }

  private static void add(float[] x, int xAt, float[] y, int yAt, int n) {
    int i = 0;
    for (; i <= n - COUNT; i += COUNT) {
      FloatVector sum = FloatVector.fromArray(F, y, yAt + i);
      sum.add(FloatVector.fromArray(F, x, xAt + i)).intoArray(y, yAt + i);
    }
    for (; i < n; i++) {
      y[yAt + i] += x[xAt + i];
    }
  }
}
