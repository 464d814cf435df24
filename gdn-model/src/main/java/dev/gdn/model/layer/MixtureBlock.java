package dev.gdn.model.layer;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.ExpertProjection;
import dev.gdn.core.kernel.ExpertRoutes;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.config.MixtureOfExperts;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a mixture of experts, for one session: y = σ(g·x) shared(x) + Σ_e w_e expert_e(x) over the
 * experts that the router chooses, or shared(x) without its gate. Tokens are grouped by expert, so
 * that each matrix of an expert is read once for all of its tokens, and the others' are not
 * touched.
 */
final class MixtureBlock implements FeedForwardBlock {
  /** Activations that all mixtures of a session use in turn. */
  static final class Scratch {
    final TokenTensor scores;
    final ExpertRoutes routes;
    final TokenTensor rows;
    final TokenTensor gate;
    final TokenTensor up;
    final TokenTensor sharedScore;
    final TokenTensor sharedGate;
    final TokenTensor sharedUp;

    Scratch(MixtureOfExperts c, int hidden, int tokens) {
      int pairs = Math.multiplyExact(tokens, c.expertsPerToken());
      scores = TokenTensor.zeros(tokens, c.experts());
      routes = new ExpertRoutes(c.experts(), c.expertsPerToken(), tokens);
      rows = TokenTensor.zeros(pairs, hidden);
      gate = TokenTensor.zeros(pairs, c.intermediateSize());
      up = TokenTensor.zeros(pairs, c.intermediateSize());
      sharedScore = TokenTensor.zeros(tokens, 1);
      sharedGate = TokenTensor.zeros(tokens, c.sharedIntermediateSize());
      sharedUp = TokenTensor.zeros(tokens, c.sharedIntermediateSize());
    }
  }

  private final Kernels kernels;
  private final ExpertRouter router;
  private final Scratch s;
  private final TokenTensor y;
  private final Projection[] in;
  private final boolean sharedGated;
  private final Projection[] sharedOut;
  private final ExpertProjection[] expertsIn;
  private final ExpertProjection[] expertsOut;

  MixtureBlock(
      MixtureWeights weights,
      MixtureOfExperts config,
      Kernels kernels,
      Scratch scratch,
      TokenTensor y) {
    this.kernels = kernels;
    this.router = ExpertRouter.of(config.router(), weights.routerBias());
    this.s = scratch;
    this.y = y;
    List<Projection> in = new ArrayList<>();
    in.add(new Projection(weights.router(), s.scores));
    in.add(new Projection(weights.shared().gate(), s.sharedGate));
    in.add(new Projection(weights.shared().up(), s.sharedUp));
    weights.sharedGate().ifPresent(gate -> in.add(new Projection(gate, s.sharedScore)));
    this.in = in.toArray(Projection[]::new);
    this.sharedGated = config.sharedGated();
    this.sharedOut = new Projection[] {new Projection(weights.shared().down(), y)};
    this.expertsIn =
        new ExpertProjection[] {
          new ExpertProjection(weights.experts().gate(), s.gate),
          new ExpertProjection(weights.experts().up(), s.up)
        };
    this.expertsOut =
        new ExpertProjection[] {new ExpertProjection(weights.experts().down(), s.rows)};
  }

  @Override
  public void apply(TokenTensor x, int tokens) {
    kernels.matrix().multiply(x, tokens, in);
    router.route(s.scores, tokens, s.routes);
    kernels.elementwise().gate(Activation.SILU, s.sharedGate, s.sharedUp, s.sharedUp, tokens);
    kernels.matrix().multiply(s.sharedUp, tokens, sharedOut);
    if (sharedGated) {
      kernels.elementwise().gateTokens(Activation.SIGMOID, s.sharedScore, y, y, tokens);
    }

    int pairs = s.routes.rows();
    kernels.experts().gather(x, s.routes, s.rows);
    kernels.matrix().multiplyExperts(s.rows, s.routes, expertsIn);
    kernels.elementwise().gate(Activation.SILU, s.gate, s.up, s.up, pairs);
    kernels.matrix().multiplyExperts(s.up, s.routes, expertsOut);
    kernels.experts().scatterAdd(s.rows, s.routes, y);
  }
}
