package dev.gdn.model.layer;

import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.config.LatentAttentionConfig;

/**
 * A latent attention layer's token mixer in its absorbed form (DeepSeek-V2, arXiv 2405.04434,
 * section 2.1). With c_j the latent vector of token j, k_j the key that all heads share, and W_K,
 * W_V what makes a head's keys and values of c,
 *
 * <pre>score_j = q·W_K c_j + q'·k_j = W_Kᵀq·c_j + q'·k_j;   o = Σ_j p_j W_V c_j = W_V Σ_j p_j c_j
 * </pre>
 *
 * so that attention runs with one key-value head, over (c, k), and the cache holds nothing else.
 */
final class LatentAttentionBlock implements MixerBlock {
  /** Activations that all latent attention layers of a session use in turn. */
  static final class Scratch {
    final TokenTensor query;
    final TokenTensor latentAndKey;
    final TokenTensor latent;
    final TokenTensor absorbed;
    final TokenTensor mixed;
    final TokenTensor o;

    Scratch(LatentAttentionConfig c, int tokens) {
      int cached = c.cacheWidth();
      query = TokenTensor.zeros(tokens, Math.multiplyExact(c.heads(), c.keyWidth()));
      latentAndKey = TokenTensor.zeros(tokens, cached);
      latent = latentAndKey.columns(0, 1, c.latentWidth());
      absorbed = TokenTensor.zeros(tokens, Math.multiplyExact(c.heads(), cached));
      mixed = TokenTensor.zeros(tokens, Math.multiplyExact(c.heads(), cached));
      o = TokenTensor.zeros(tokens, Math.multiplyExact(c.heads(), c.valueWidth()));
    }
  }

  private final LatentAttentionWeights weights;
  private final LatentAttentionConfig config;
  private final Kernels kernels;
  private final Scratch s;
  private final AttentionState state;
  private final float scale;
  private final TokenTensor absorbedHeads;
  private final TokenTensor mixedHeads;
  private final Projection[] in;
  private final TokenTensor[] ownQueries;
  private final Projection[][] absorb;
  private final TokenTensor[] mixedLatents;
  private final Projection[][] values;
  private final Projection[] out;

  LatentAttentionBlock(
      LatentAttentionWeights weights,
      LatentAttentionConfig config,
      Kernels kernels,
      Scratch scratch,
      AttentionState state,
      TokenTensor y) {
    this.weights = weights;
    this.config = config;
    this.kernels = kernels;
    this.s = scratch;
    this.state = state;
    this.scale = (float) (1 / Math.sqrt(config.keyWidth()));
    int heads = config.heads();
    int cached = config.cacheWidth();
    int latent = config.latentWidth();
    this.absorbedHeads = s.absorbed.columns(0, heads, cached);
    this.mixedHeads = s.mixed.columns(0, heads, cached);
    this.in =
        new Projection[] {
          new Projection(weights.query(), s.query), new Projection(weights.latent(), s.latentAndKey)
        };
    this.ownQueries = new TokenTensor[heads];
    this.absorb = new Projection[heads][];
    this.mixedLatents = new TokenTensor[heads];
    this.values = new Projection[heads][];
    for (int h = 0; h < heads; h++) {
      ownQueries[h] = s.query.columns(h * config.keyWidth(), 1, config.ownKeyWidth());
      absorb[h] = project(weights.keys().get(h), s.absorbed.columns(h * cached, 1, latent));
      mixedLatents[h] = s.mixed.columns(h * cached, 1, latent);
      int width = config.valueWidth();
      values[h] = project(weights.values().get(h), s.o.columns(h * width, 1, width));
    }
    this.out = project(weights.out(), y);
  }

  private static Projection[] project(WeightMatrix weight, TokenTensor output) {
    return new Projection[] {new Projection(weight, output)};
  }

  @Override
  public void mix(TokenTensor x, int tokens) {
    kernels.matrix().multiply(x, tokens, in);
    kernels.normalization().rms(weights.latentNorm(), s.latent, s.latent, tokens);
    for (int h = 0; h < config.heads(); h++) {
      kernels.matrix().multiply(ownQueries[h], tokens, absorb[h]);
    }
    copySharedQueries(tokens);
    state.cache().append(s.latentAndKey, tokens);
    kernels.attention().attend(absorbedHeads, state.cache(), scale, mixedHeads, tokens);
    for (int h = 0; h < config.heads(); h++) {
      kernels.matrix().multiply(mixedLatents[h], tokens, values[h]);
    }
    kernels.matrix().multiply(s.o, tokens, out);
  }

  private void copySharedQueries(int tokens) {
    int width = config.sharedKeyWidth();
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < config.heads(); h++) {
        int from = s.query.at(t) + h * config.keyWidth() + config.ownKeyWidth();
        int to = absorbedHeads.at(t, h) + config.latentWidth();
        System.arraycopy(s.query.data(), from, s.absorbed.data(), to, width);
      }
    }
  }
}
