package dev.gdn.model.layer;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.kernel.RotaryAngles;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.QueryKeyNorm;

/**
 * A softmax attention layer's token mixer: projections, norms of queries and keys, partial rotary
 * embedding, attention over the KV cache, a sigmoid output gate, the output projection. The
 * configuration says whether keys are turned, the output is gated, and what the norms are over.
 */
final class AttentionBlock implements MixerBlock {
  /** Activations that all attention layers of a session use in turn. */
  static final class Scratch {
    final TokenTensor query;
    final TokenTensor q;
    final TokenTensor qToNorm;
    final TokenTensor gate;
    final TokenTensor k;
    final TokenTensor kHeads;
    final TokenTensor kToNorm;
    final TokenTensor v;
    final TokenTensor vHeads;
    final TokenTensor o;
    final TokenTensor oHeads;

    Scratch(AttentionConfig c, int tokens) {
      int width = c.headWidth();
      int stride = c.gated() ? 2 * width : width;
      int row = c.heads() * stride;
      float[] data = new float[Math.multiplyExact(tokens, row)];
      boolean joint = c.norm() == QueryKeyNorm.JOINT;
      query = TokenTensor.of(data, row);
      q = new TokenTensor(data, 0, row, c.heads(), stride, width);
      qToNorm = joint ? query : q;
      gate = c.gated() ? new TokenTensor(data, width, row, c.heads(), stride, width) : null;
      k = TokenTensor.zeros(tokens, c.keyValueSize());
      kHeads = k.columns(0, c.keyValueHeads(), width);
      kToNorm = joint ? k : kHeads;
      v = TokenTensor.zeros(tokens, c.keyValueSize());
      vHeads = v.columns(0, c.keyValueHeads(), width);
      o = TokenTensor.zeros(tokens, c.querySize());
      oHeads = o.columns(0, c.heads(), width);
    }
  }

  private final AttentionWeights weights;
  private final Kernels kernels;
  private final Scratch s;
  private final RotaryAngles angles;
  private final KeyValueCache cache;
  private final SparseAttention sparse;
  private final float scale;
  private final Projection[] in;
  private final Projection[] out;

  /**
   * @param angles of the block of tokens; null if nothing is turned
   * @param sparse attends to chosen tokens of the cache; null to attend to all
   */
  AttentionBlock(
      AttentionWeights weights,
      AttentionConfig config,
      Kernels kernels,
      Scratch scratch,
      RotaryAngles angles,
      KeyValueCache cache,
      SparseAttention sparse,
      TokenTensor y) {
    this.weights = weights;
    this.kernels = kernels;
    this.s = scratch;
    this.angles = angles;
    this.cache = cache;
    this.sparse = sparse;
    this.scale = (float) (1 / Math.sqrt(config.headWidth()));
    this.in =
        new Projection[] {
          new Projection(weights.query(), s.query),
          new Projection(weights.key(), s.k),
          new Projection(weights.value(), s.v)
        };
    this.out = new Projection[] {new Projection(weights.out(), y)};
  }

  @Override
  public void mix(TokenTensor x, int tokens) {
    kernels.matrix().multiply(x, tokens, in);
    kernels.normalization().rms(weights.queryNorm(), s.qToNorm, s.qToNorm, tokens);
    kernels.normalization().rms(weights.keyNorm(), s.kToNorm, s.kToNorm, tokens);
    if (angles != null) {
      kernels.rotation().rotate(angles, s.q, tokens);
      kernels.rotation().rotate(angles, s.kHeads, tokens);
    }
    if (sparse == null) {
      cache.append(s.kHeads, s.vHeads, tokens);
      kernels.attention().attend(s.q, cache, scale, s.oHeads, tokens);
    } else {
      sparse.attend(x, s.q, s.kHeads, s.vHeads, scale, s.oHeads, tokens);
    }
    if (s.gate != null) {
      kernels.elementwise().gate(Activation.SIGMOID, s.gate, s.oHeads, s.oHeads, tokens);
    }
    kernels.matrix().multiply(s.o, tokens, out);
  }
}
