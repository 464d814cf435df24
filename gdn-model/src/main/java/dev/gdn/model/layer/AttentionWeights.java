package dev.gdn.model.layer;

import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.QueryKeyNorm;
import java.util.Optional;

/**
 * The weights of a softmax attention layer's token mixer.
 *
 * @param query {@code [heads · D, hidden]}; with an output gate {@code [heads · 2 · D, hidden]}:
 *     for each head its query, then its gate
 * @param key {@code [key-value heads · D, hidden]}
 * @param value {@code [key-value heads · D, hidden]}
 * @param queryNorm of each query head, {@code [D]}, or of all, {@code [heads · D]}
 * @param keyNorm of each key head, {@code [D]}, or of all, {@code [key-value heads · D]}
 * @param out {@code [hidden, heads · D]}
 * @param indexer what chooses tokens; empty if all are attended to
 */
record AttentionWeights(
    WeightMatrix query,
    WeightMatrix key,
    WeightMatrix value,
    NormWeights queryNorm,
    NormWeights keyNorm,
    WeightMatrix out,
    Optional<IndexerWeights> indexer)
    implements MixerWeights {

  static AttentionWeights bind(
      ModelConfig config, AttentionConfig c, WeightSource source, String layer) {
    int hidden = config.hiddenSize();
    int width = c.headWidth();
    boolean joint = c.norm() == QueryKeyNorm.JOINT;
    long queries = (c.gated() ? 2L : 1L) * c.querySize();
    String prefix = layer + "self_attn.";
    return new AttentionWeights(
        source.require(prefix + "q_proj.weight", queries, hidden).toMatrix(),
        source.require(prefix + "k_proj.weight", c.keyValueSize(), hidden).toMatrix(),
        source.require(prefix + "v_proj.weight", c.keyValueSize(), hidden).toMatrix(),
        ModelWeights.norm(config, source, prefix + "q_norm.weight", joint ? c.querySize() : width),
        ModelWeights.norm(
            config, source, prefix + "k_norm.weight", joint ? c.keyValueSize() : width),
        source.require(prefix + "o_proj.weight", hidden, c.querySize()).toMatrix(),
        c.indexer().map(indexer -> IndexerWeights.bind(config, indexer, source, prefix)));
  }
}
