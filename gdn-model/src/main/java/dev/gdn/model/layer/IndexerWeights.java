package dev.gdn.model.layer;

import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.IndexerConfig;
import dev.gdn.model.config.ModelConfig;

/**
 * The weights with which a sparse attention layer chooses blocks of tokens.
 *
 * @param queriesAndKey {@code [(heads + 1) · D, hidden]}: the queries, then the key
 * @param queryNorm of each query head, {@code [D]}
 * @param keyNorm of a block's key, {@code [D]}
 */
record IndexerWeights(WeightMatrix queriesAndKey, NormWeights queryNorm, NormWeights keyNorm) {
  /**
   * Binds the weights.
   *
   * @param prefix of the layer's attention, for example {@code layers.3.self_attn.}
   */
  static IndexerWeights bind(
      ModelConfig config, IndexerConfig c, WeightSource source, String prefix) {
    long rows = (c.heads() + 1L) * c.headWidth();
    String indexer = prefix + "indexer.";
    return new IndexerWeights(
        source.require(indexer + "index_qk_proj.weight", rows, config.hiddenSize()).toMatrix(),
        ModelWeights.norm(config, source, indexer + "q_layernorm.weight", c.headWidth()),
        ModelWeights.norm(config, source, indexer + "k_layernorm.weight", c.headWidth()));
  }
}
