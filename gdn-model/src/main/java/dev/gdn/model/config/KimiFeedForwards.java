package dev.gdn.model.config;

import dev.gdn.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads which layers of Kimi Linear have a dense feed-forward and which a mixture of experts. */
final class KimiFeedForwards {
  private final JsonObject config;
  private final ConfigValues values;
  private final int layers;

  KimiFeedForwards(JsonObject config, int layers) {
    this.config = config;
    this.values = new ConfigValues(config);
    this.layers = layers;
  }

  List<FeedForwardConfig> read() {
    List<Boolean> sparse = sparse();
    FeedForwardConfig dense =
        sparse.contains(false) ? new DenseFeedForward(values.size("intermediate_size")) : null;
    FeedForwardConfig mixture = sparse.contains(true) ? mixture() : null;
    List<FeedForwardConfig> plan = new ArrayList<>();
    sparse.forEach(experts -> plan.add(experts ? mixture : dense));
    return plan;
  }

  private List<Boolean> sparse() {
    String key = "mlp_layer_types";
    List<Boolean> sparse = new ArrayList<>();
    Optional<List<String>> names = config.texts(key);
    if (names.isEmpty()) {
      int dense = config.integer("first_k_dense_replace", 0, layers).orElse(1);
      config.integer("moe_layer_freq", 1, 1);
      for (int i = 0; i < layers; i++) {
        sparse.add(i >= dense);
      }
      return sparse;
    }
    for (String name : names.get()) {
      if (!name.equals("dense") && !name.equals("sparse")) {
        throw config.problem(
            key + "[" + sparse.size() + "]", "expected dense or sparse, found " + name);
      }
      sparse.add(name.equals("sparse"));
    }
    if (sparse.size() != layers) {
      throw config.problem(
          key,
          "expected %d entries as num_hidden_layers says, found %d"
              .formatted(layers, sparse.size()));
    }
    return sparse;
  }

  private MixtureOfExperts mixture() {
    int experts = config.requireInteger("num_experts", 1, MixtureOfExperts.MAXIMUM_EXPERTS);
    int groups = config.integer("num_expert_group", 1, experts).orElse(1);
    values.requireMultiple("num_experts", experts, "num_expert_group", groups);
    double scale = config.number("routed_scaling_factor").orElse(1);
    if (scale <= 0) {
      throw config.mismatch("routed_scaling_factor", "a number over 0");
    }
    int intermediate = values.size("moe_intermediate_size");
    int shared = config.requireInteger("num_shared_experts", 1, experts);
    if ((long) shared * intermediate > ConfigReader.MAXIMUM_SIZE) {
      throw config.mismatch(
          "num_shared_experts", "at most " + ConfigReader.MAXIMUM_SIZE / intermediate);
    }
    return new MixtureOfExperts(
        experts,
        config.requireInteger("num_experts_per_token", 1, experts),
        new SigmoidRouting(
            config.flag("moe_renormalize").orElse(true),
            groups,
            config.integer("topk_group", 1, groups).orElse(1),
            scale),
        intermediate,
        shared * intermediate,
        false);
  }
}
