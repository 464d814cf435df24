package dev.gdn.model.layer;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.kernel.RotaryAngles;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.config.AttentionConfig;

/**
 * A softmax attention layer's token mixer: projections, norms of each query and key head, partial
 * rotary embedding, attention over the KV cache, a sigmoid output gate, the output projection.
 */
final class AttentionBlock implements MixerBlock {
  /** Activations that all attention layers of a session use in turn. */
  static final class Scratch {
    final TokenTensor queryAndGate;
    final TokenTensor q;
    final TokenTensor gate;
    final TokenTensor k;
    final TokenTensor kHeads;
    final TokenTensor v;
    final TokenTensor vHeads;
    final TokenTensor o;
    final TokenTensor oHeads;

    Scratch(AttentionConfig c, int tokens) {
      int width = c.headWidth();
      int queries = c.heads() * width;
      int keys = c.keyValueHeads() * width;
      float[] data = new float[Math.multiplyExact(tokens, 2 * queries)];
      queryAndGate = TokenTensor.of(data, 2 * queries);
      q = new TokenTensor(data, 0, 2 * queries, c.heads(), 2 * width, width);
      gate = new TokenTensor(data, width, 2 * queries, c.heads(), 2 * width, width);
      k = TokenTensor.zeros(tokens, keys);
      kHeads = k.columns(0, c.keyValueHeads(), width);
      v = TokenTensor.zeros(tokens, keys);
      vHeads = v.columns(0, c.keyValueHeads(), width);
      o = TokenTensor.zeros(tokens, queries);
      oHeads = o.columns(0, c.heads(), width);
    }
  }

  private final AttentionWeights weights;
  private final Kernels kernels;
  private final Scratch s;
  private final RotaryAngles angles;
  private final AttentionState state;
  private final float scale;
  private final Projection[] in;
  private final Projection[] out;

  AttentionBlock(
      AttentionWeights weights,
      AttentionConfig config,
      Kernels kernels,
      Scratch scratch,
      RotaryAngles angles,
      AttentionState state,
      TokenTensor y) {
    this.weights = weights;
    this.kernels = kernels;
    this.s = scratch;
    this.angles = angles;
    this.state = state;
    this.scale = (float) (1 / Math.sqrt(config.headWidth()));
    this.in =
        new Projection[] {
          new Projection(weights.queryAndGate(), s.queryAndGate),
          new Projection(weights.key(), s.k),
          new Projection(weights.value(), s.v)
        };
    this.out = new Projection[] {new Projection(weights.out(), y)};
  }

  @Override
  public void mix(TokenTensor x, int tokens) {
    kernels.matrix().multiply(x, tokens, in);
    kernels.normalization().rms(weights.queryNorm(), s.q, s.q, tokens);
    kernels.normalization().rms(weights.keyNorm(), s.kHeads, s.kHeads, tokens);
    kernels.rotation().rotate(angles, s.q, tokens);
    kernels.rotation().rotate(angles, s.kHeads, tokens);
    state.cache().append(s.kHeads, s.vHeads, tokens);
    kernels.attention().attend(s.q, state.cache(), scale, s.oHeads, tokens);
    kernels.elementwise().gate(Activation.SIGMOID, s.gate, s.oHeads, s.oHeads, tokens);
    kernels.matrix().multiply(s.o, tokens, out);
  }
}
