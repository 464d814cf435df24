package dev.gdn.model.layer;

import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.ModelConfig;

/**
 * The weights of a gated softmax attention layer's token mixer.
 *
 * @param queryAndGate {@code [heads · 2 · D, hidden]}: for each head its query, then its output
 *     gate
 * @param key {@code [key-value heads · D, hidden]}
 * @param value {@code [key-value heads · D, hidden]}
 * @param queryNorm of each query head, {@code [D]}
 * @param keyNorm of each key head, {@code [D]}
 * @param out {@code [hidden, heads · D]}
 */
record AttentionWeights(
    WeightMatrix queryAndGate,
    WeightMatrix key,
    WeightMatrix value,
    NormWeights queryNorm,
    NormWeights keyNorm,
    WeightMatrix out)
    implements MixerWeights {

  static AttentionWeights bind(ModelConfig config, WeightSource source, String layer) {
    AttentionConfig c = config.attention();
    int hidden = config.hiddenSize();
    int width = c.headWidth();
    String prefix = layer + "self_attn.";
    return new AttentionWeights(
        source.require(prefix + "q_proj.weight", c.heads() * 2L * width, hidden).toMatrix(),
        source
            .require(prefix + "k_proj.weight", (long) c.keyValueHeads() * width, hidden)
            .toMatrix(),
        source
            .require(prefix + "v_proj.weight", (long) c.keyValueHeads() * width, hidden)
            .toMatrix(),
        ModelWeights.norm(config, source, prefix + "q_norm.weight", width),
        ModelWeights.norm(config, source, prefix + "k_norm.weight", width),
        source.require(prefix + "o_proj.weight", hidden, (long) c.heads() * width).toMatrix());
  }
}
