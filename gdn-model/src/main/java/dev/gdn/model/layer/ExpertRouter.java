package dev.gdn.model.layer;

import dev.gdn.core.kernel.ExpertRoutes;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.config.RouterConfig;
import dev.gdn.model.config.SigmoidRouting;
import dev.gdn.model.config.SoftmaxRouting;

/** Sends each token to a few experts, by their scores. Used by one thread at a time. */
sealed interface ExpertRouter permits SoftmaxRouter, SigmoidRouter {
  /**
   * Chooses and groups.
   *
   * @param scores {@code [tokens, experts]}, one head; may be overwritten
   */
  void route(TokenTensor scores, int tokens, ExpertRoutes routes);

  /**
   * Makes the router of a mixture.
   *
   * @param bias of each expert; null for none
   */
  static ExpertRouter of(RouterConfig config, float[] bias) {
    return switch (config) {
      case SoftmaxRouting c -> new SoftmaxRouter(c.normalised());
      case SigmoidRouting c -> new SigmoidRouter(c, bias);
    };
  }
}
