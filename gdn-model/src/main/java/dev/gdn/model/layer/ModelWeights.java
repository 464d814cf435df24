package dev.gdn.model.layer;

import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.kernel.RotaryEmbedding;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.ModelConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * All weights of a model, bound by name and checked. Immutable; shared by sessions.
 *
 * @param config the model's sizes
 * @param embedding {@code [vocabulary, hidden]}
 * @param layers in order
 * @param norm after the last layer
 * @param head {@code [vocabulary, hidden]}; the embedding where the two are tied
 * @param rotary frequencies of the attention layers
 * @param heads which key head a value head uses in this checkpoint's format
 */
public record ModelWeights(
    ModelConfig config,
    WeightMatrix embedding,
    List<LayerWeights> layers,
    NormWeights norm,
    WeightMatrix head,
    RotaryEmbedding rotary,
    HeadMapping heads) {

  /**
   * Binds every tensor the configuration asks for.
   *
   * @throws dev.gdn.model.error.CheckpointException if one is missing or misshapen, or one that no
   *     layer knows is left over
   */
  public static ModelWeights bind(ModelConfig config, WeightSource source) {
    int vocabulary = config.vocabularySize();
    int hidden = config.hiddenSize();
    WeightMatrix embedding = source.require("embed_tokens.weight", vocabulary, hidden).toMatrix();
    List<LayerWeights> layers = new ArrayList<>();
    for (int i = 0; i < config.layers().size(); i++) {
      layers.add(LayerWeights.bind(config, source, i));
    }
    NormWeights norm = norm(config, source, "norm.weight", hidden);
    WeightMatrix head =
        config.tiedEmbedding()
            ? embedding
            : source.require("lm_head.weight", vocabulary, hidden).toMatrix();
    source.refuseUnused();
    return new ModelWeights(
        config,
        embedding,
        List.copyOf(layers),
        norm,
        head,
        config.attention().rotary().embedding(),
        source.headMapping());
  }

  static NormWeights norm(ModelConfig config, WeightSource source, String name, int width) {
    return new NormWeights(
        source.require(name, width).toFloats(),
        (float) config.normEpsilon(),
        source.zeroCentredNorms());
  }
}
