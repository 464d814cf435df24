package dev.gdn.model.layer;

import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.kernel.RotaryEmbedding;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.LatentAttentionConfig;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.RotaryConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All weights of a model, bound by name and checked. Immutable; shared by sessions.
 *
 * @param config the model's sizes
 * @param embedding {@code [vocabulary, hidden]}
 * @param layers in order
 * @param last how the head reads the residual stream
 * @param head {@code [vocabulary, hidden]}; the embedding where the two are tied
 * @param rotary frequencies of the attention layers, if these turn queries and keys
 * @param heads which key head a value head uses in this checkpoint's format
 */
public record ModelWeights(
    ModelConfig config,
    WeightMatrix embedding,
    List<LayerWeights> layers,
    ResidualWeights last,
    WeightMatrix head,
    Optional<RotaryEmbedding> rotary,
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
    ResidualWeights last = ResidualWeights.ofHead(config, source);
    WeightMatrix head =
        config.tiedEmbedding()
            ? embedding
            : source.require("lm_head.weight", vocabulary, hidden).toMatrix();
    source.refuseUnused();
    return new ModelWeights(
        config, embedding, List.copyOf(layers), last, head, rotary(config), source.headMapping());
  }

  private static Optional<RotaryEmbedding> rotary(ModelConfig config) {
    return switch (config.attention()) {
      case AttentionConfig c -> c.rotary().map(RotaryConfig::embedding);
      case LatentAttentionConfig c -> Optional.empty();
    };
  }

  static NormWeights norm(ModelConfig config, WeightSource source, String name, int width) {
    return new NormWeights(
        source.require(name, width).toFloats(),
        (float) config.normEpsilon(),
        source.zeroCentredNorms());
  }
}
