package dev.gdn.model.layer;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.Gates;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.DeltaProjections;
import dev.gdn.model.checkpoint.RowPieces;
import dev.gdn.model.config.DecayGate;
import dev.gdn.model.config.DeltaVariant;
import dev.gdn.model.config.LinearAttentionConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * A gated delta layer's token mixer (arXiv 2412.06464, figure 1): projections, a short convolution
 * over queries, keys and values, the gated delta rule, a gated norm, the output projection. With a
 * decay per key channel it is Kimi Delta Attention (arXiv 2510.26692).
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
    final TokenTensor zLow;
    final TokenTensor decayLow;
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
      decay = TokenTensor.zeros(tokens, c.decaySize());
      boolean lowRank = c.variant().decay() == DecayGate.PER_KEY_CHANNEL;
      zLow = lowRank ? TokenTensor.zeros(tokens, c.gateRank()) : null;
      decayLow = lowRank ? TokenTensor.zeros(tokens, c.gateRank()) : null;
      o = TokenTensor.zeros(tokens, values);
      oHeads = o.columns(0, c.valueHeads(), c.valueWidth());
    }
  }

  private final GatedDeltaWeights weights;
  private final DeltaVariant variant;
  private final Kernels kernels;
  private final RuleCall rule;
  private final Scratch s;
  private final RecurrentState state;
  private final Projection[] in;
  private final Projection[] zUp;
  private final Projection[] decayUp;
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
    this.variant = config.variant();
    this.kernels = kernels;
    this.s = scratch;
    this.state = state;
    this.rule =
        new RuleCall(
            RuleParameters.standard(config.keyWidth(), heads),
            s.q,
            s.k,
            s.v,
            gates(config),
            state.matrices(),
            0,
            s.oHeads);
    this.in = in(weights.in());
    this.zUp = projections(weights.in().z(), s.z);
    this.decayUp = projections(weights.in().alpha(), s.decay);
    this.out = new Projection[] {new Projection(weights.out(), y)};
  }

  private Gates gates(LinearAttentionConfig config) {
    return switch (variant.decay()) {
      case PER_HEAD -> Gates.perHead(s.decay, s.beta);
      case PER_KEY_CHANNEL ->
          new Gates(null, s.decay.columns(0, config.valueHeads(), config.keyWidth()), null, s.beta);
    };
  }

  private Projection[] in(DeltaProjections weights) {
    List<Projection> projections = new ArrayList<>();
    addTo(projections, weights.qkv(), s.qkv);
    addTo(projections, weights.beta(), s.beta);
    if (weights.lowRank().isPresent()) {
      projections.add(new Projection(weights.lowRank().get().z(), s.zLow));
      projections.add(new Projection(weights.lowRank().get().alpha(), s.decayLow));
    } else {
      addTo(projections, weights.z(), s.z);
      addTo(projections, weights.alpha(), s.decay);
    }
    return projections.toArray(Projection[]::new);
  }

  private static Projection[] projections(RowPieces rows, TokenTensor output) {
    List<Projection> projections = new ArrayList<>();
    addTo(projections, rows, output);
    return projections.toArray(Projection[]::new);
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
    if (s.zLow != null) {
      kernels.matrix().multiply(s.zLow, tokens, zUp);
      kernels.matrix().multiply(s.decayLow, tokens, decayUp);
    }
    kernels.convolution().convolve(weights.convolution(), s.qkv, state.window(), s.qkv, tokens);
    kernels.elementwise().apply(Activation.SIGMOID, s.beta, s.beta, tokens);
    if (variant.largestBeta() != 1) {
      kernels.elementwise().scale(variant.largestBeta(), s.beta, s.beta, tokens);
    }
    kernels.elementwise().decayGate(weights.decay(), s.decay, s.decay, tokens);
    if (tokens == 1) {
      kernels.rule().recurrent(rule, tokens);
    } else {
      kernels.rule().chunk(rule, tokens);
    }
    kernels
        .normalization()
        .gatedRms(weights.norm(), s.oHeads, s.zHeads, variant.outputGate(), s.oHeads, tokens);
    kernels.matrix().multiply(s.o, tokens, out);
  }
}
