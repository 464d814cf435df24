package dev.gdn.model.layer;

import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.ExpertMatrices;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.config.SigmoidRouting;
import dev.gdn.model.config.SoftmaxRouting;
import dev.gdn.model.error.CheckpointException;
import java.util.Optional;

/**
 * The weights of a mixture of experts.
 *
 * @param router {@code [experts, hidden]}: the score of each expert
 * @param routerBias added to what experts are chosen by, {@code [experts]}; null for none
 * @param experts each a SwiGLU feed-forward
 * @param shared the expert of all tokens
 * @param sharedGate {@code [1, hidden]}; empty if nothing weighs the shared expert
 */
record MixtureWeights(
    WeightMatrix router,
    float[] routerBias,
    ExpertMatrices experts,
    DenseWeights shared,
    Optional<WeightMatrix> sharedGate)
    implements FeedForwardWeights {

  static MixtureWeights bind(
      WeightSource source, String prefix, MixtureOfExperts config, int hidden) {
    return new MixtureWeights(
        router(source, source.require(prefix + "gate.weight", config.experts(), hidden)),
        routerBias(source, prefix, config),
        ExpertMatrices.require(source, prefix, config, hidden),
        DenseWeights.bind(
            source, prefix + "shared_expert.", config.sharedIntermediateSize(), hidden),
        config.sharedGated()
            ? Optional.of(
                source.require(prefix + "shared_expert_gate.weight", 1, hidden).toMatrix())
            : Optional.empty());
  }

  private static float[] routerBias(WeightSource source, String prefix, MixtureOfExperts config) {
    return switch (config.router()) {
      case SoftmaxRouting softmax -> null;
      case SigmoidRouting sigmoid -> {
        StoredTensor stored =
            source.require(prefix + "gate.e_score_correction_bias", config.experts());
        float[] bias = stored.toFloats();
        for (int expert = 0; expert < bias.length; expert++) {
          checkFinite(source, stored, expert, bias[expert]);
        }
        yield bias;
      }
    };
  }

  // Not a number among the scores would send tokens to whichever experts come first.
  private static WeightMatrix router(WeightSource source, StoredTensor stored) {
    WeightMatrix router = stored.toMatrix();
    float[] row = new float[router.columns()];
    for (int expert = 0; expert < router.rows(); expert++) {
      router.decodeRow(expert, row, 0);
      for (float value : row) {
        checkFinite(source, stored, expert, value);
      }
    }
    return router;
  }

  private static void checkFinite(
      WeightSource source, StoredTensor stored, int expert, float value) {
    if (!Float.isFinite(value)) {
      throw new CheckpointException(
          source.location(),
          "tensor " + stored.name(),
          "expected finite numbers, found %s for expert %d".formatted(value, expert));
    }
  }
}
