package dev.gdn.model.config;

import dev.gdn.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reads which layers have a dense feed-forward and which a mixture of experts. */
final class FeedForwardReader {
  private final JsonObject config;
  private final int layers;

  FeedForwardReader(JsonObject config, int layers) {
    this.config = config;
    this.layers = layers;
  }

  /** The same dense one in every layer. */
  List<FeedForwardConfig> dense() {
    return repeated(denseLayer());
  }

  /** Experts in every layer, their weights normalised, as Qwen3.5 has them. */
  List<FeedForwardConfig> experts() {
    return repeated(mixture(true));
  }

  /**
   * Experts in every {@code decoder_sparse_step}-th layer that {@code mlp_only_layers} does not
   * list, as in Qwen3-Next.
   */
  List<FeedForwardConfig> sparse() {
    if (config.integer("num_experts", 0, MixtureOfExperts.MAXIMUM_EXPERTS).orElse(1) == 0) {
      return dense();
    }
    int step = config.integer("decoder_sparse_step", 1, ConfigReader.MAXIMUM_LAYERS).orElse(1);
    List<Integer> without = config.integers("mlp_only_layers", 0, layers - 1).orElse(List.of());
    FeedForwardConfig dense = null;
    FeedForwardConfig mixture = null;
    List<FeedForwardConfig> plan = new ArrayList<>();
    for (int i = 0; i < layers; i++) {
      if ((i + 1) % step == 0 && !without.contains(i)) {
        mixture = mixture == null ? mixture(normalised()) : mixture;
        plan.add(mixture);
      } else {
        dense = dense == null ? denseLayer() : dense;
        plan.add(dense);
      }
    }
    return plan;
  }

  private List<FeedForwardConfig> repeated(FeedForwardConfig layer) {
    return Collections.nCopies(layers, layer);
  }

  private boolean normalised() {
    return config.flag("norm_topk_prob").orElse(true);
  }

  private DenseFeedForward denseLayer() {
    return new DenseFeedForward(size("intermediate_size"));
  }

  private MixtureOfExperts mixture(boolean normalised) {
    int experts = config.requireInteger("num_experts", 1, MixtureOfExperts.MAXIMUM_EXPERTS);
    return new MixtureOfExperts(
        experts,
        config.requireInteger("num_experts_per_tok", 1, experts),
        normalised,
        size("moe_intermediate_size"),
        size("shared_expert_intermediate_size"));
  }

  private int size(String key) {
    return config.requireInteger(key, 1, ConfigReader.MAXIMUM_SIZE);
  }
}
