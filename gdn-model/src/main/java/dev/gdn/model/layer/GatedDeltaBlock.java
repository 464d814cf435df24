package dev.gdn.model.layer;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.RowPieces;
import dev.gdn.model.config.LinearAttentionConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * A gated delta layer's token mixer (arXiv 2412.06464, figure 1): projections, a short convolution
 * over queries, keys and values, the gated delta rule, a gated norm, the output projection.
 */
final class GatedDeltaBlock implements MixerBlock {
  /** Activations that all gated delta layers of a session use in turn. */
  static final class Scratch {
    final TokenTensor qkv;
    final TokenTensor q;
    final TokenTensor k;
    final TokenTensor v;
    final TokenTensor z;
    final TokenTensor zHeads;
    final TokenTensor beta;
    final TokenTensor decay;
    final TokenTensor o;
    final TokenTensor oHeads;

    Scratch(LinearAttentionConfig c, int tokens) {
      int keys = c.keySize();
      int values = c.valueSize();
      qkv = TokenTensor.zeros(tokens, c.convolutionChannels());
      q = qkv.columns(0, c.keyHeads(), c.keyWidth());
      k = qkv.columns(keys, c.keyHeads(), c.keyWidth());
      v = qkv.columns(2 * keys, c.valueHeads(), c.valueWidth());
      z = TokenTensor.zeros(tokens, values);
      zHeads = z.columns(0, c.valueHeads(), c.valueWidth());
      beta = TokenTensor.zeros(tokens, c.valueHeads());
      decay = TokenTensor.zeros(tokens, c.valueHeads());
      o = TokenTensor.zeros(tokens, values);
      oHeads = o.columns(0, c.valueHeads(), c.valueWidth());
    }
  }

  private final GatedDeltaWeights weights;
  private final Kernels kernels;
  private final RuleCall rule;
  private final Scratch s;
  private final RecurrentState state;
  private final Projection[] in;
  private final Projection[] out;

  GatedDeltaBlock(
      GatedDeltaWeights weights,
      LinearAttentionConfig config,
      HeadMapping heads,
      Kernels kernels,
      Scratch scratch,
      RecurrentState state,
      TokenTensor y) {
    this.weights = weights;
    this.kernels = kernels;
    this.s = scratch;
    this.state = state;
    this.rule =
        new RuleCall(
            RuleParameters.standard(config.keyWidth(), heads),
            s.q,
            s.k,
            s.v,
            s.decay,
            s.beta,
            state.matrices(),
            0,
            s.oHeads);
    List<Projection> projections = new ArrayList<>();
    addTo(projections, weights.in().qkv(), s.qkv);
    addTo(projections, weights.in().z(), s.z);
    addTo(projections, weights.in().beta(), s.beta);
    addTo(projections, weights.in().alpha(), s.decay);
    this.in = projections.toArray(Projection[]::new);
    this.out = new Projection[] {new Projection(weights.out(), y)};
  }

  private static void addTo(List<Projection> projections, RowPieces rows, TokenTensor output) {
    int column = 0;
    for (WeightMatrix piece : rows.pieces()) {
      projections.add(new Projection(piece, output.columns(column, 1, piece.rows())));
      column += piece.rows();
    }
  }

  @Override
  public void mix(TokenTensor x, int tokens) {
    kernels.matrix().multiply(x, tokens, in);
    kernels.convolution().convolve(weights.convolution(), s.qkv, state.window(), s.qkv, tokens);
    kernels.elementwise().apply(Activation.SIGMOID, s.beta, s.beta, tokens);
    kernels.elementwise().decayGate(weights.decay(), s.decay, s.decay, tokens);
    if (tokens == 1) {
      kernels.rule().recurrent(rule, tokens);
    } else {
      kernels.rule().chunk(rule, tokens);
    }
    kernels
        .normalization()
        .gatedRms(weights.norm(), s.oHeads, s.zHeads, Activation.SILU, s.oHeads, tokens);
    kernels.matrix().multiply(s.o, tokens, out);
  }
}
