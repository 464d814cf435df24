package dev.gdn.model.layer;

import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.ExpertMatrices;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.error.CheckpointException;

/**
 * The weights of a mixture of experts.
 *
 * @param router {@code [experts, hidden]}: the score of each expert
 * @param experts each a SwiGLU feed-forward
 * @param shared the expert of all tokens
 * @param sharedGate {@code [1, hidden]}
 */
record MixtureWeights(
    WeightMatrix router, ExpertMatrices experts, DenseWeights shared, WeightMatrix sharedGate)
    implements FeedForwardWeights {

  static MixtureWeights bind(
      WeightSource source, String prefix, MixtureOfExperts config, int hidden) {
    return new MixtureWeights(
        router(source, source.require(prefix + "gate.weight", config.experts(), hidden)),
        ExpertMatrices.require(source, prefix, config, hidden),
        DenseWeights.bind(
            source, prefix + "shared_expert.", config.sharedIntermediateSize(), hidden),
        source.require(prefix + "shared_expert_gate.weight", 1, hidden).toMatrix());
  }

  // Not a number among the scores would send tokens to whichever experts come first.
  private static WeightMatrix router(WeightSource source, StoredTensor stored) {
    WeightMatrix router = stored.toMatrix();
    float[] row = new float[router.columns()];
    for (int expert = 0; expert < router.rows(); expert++) {
      router.decodeRow(expert, row, 0);
      for (float value : row) {
        if (!Float.isFinite(value)) {
          throw new CheckpointException(
              source.location(),
              "tensor " + stored.name(),
              "expected finite numbers, found %s for expert %d".formatted(value, expert));
        }
      }
    }
    return router;
  }
}
