package dev.gdn.model.checkpoint;

import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.FeedForwardConfig;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufMetadata;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads which layers of a GGUF file have a dense feed-forward and which a mixture of experts. The
 * metadata gives the sizes of both; a layer without a router is dense.
 */
final class GgufFeedForwards {
  private final GgufFile file;
  private final GgufMetadata metadata;
  private final GgufModel model;

  GgufFeedForwards(GgufFile file, GgufModel model) {
    this.file = file;
    this.metadata = file.metadata();
    this.model = model;
  }

  List<FeedForwardConfig> read(int layers) {
    FeedForwardConfig dense = null;
    FeedForwardConfig mixture = null;
    List<FeedForwardConfig> plan = new ArrayList<>();
    for (int i = 0; i < layers; i++) {
      if (isDense(i)) {
        dense = dense == null ? new DenseFeedForward(size("feed_forward_length")) : dense;
        plan.add(dense);
      } else {
        mixture = mixture == null ? mixture() : mixture;
        plan.add(mixture);
      }
    }
    return plan;
  }

  private boolean isDense(int layer) {
    return switch (model) {
      case QWEN35 -> true;
      case QWEN35MOE, QWEN3NEXT -> {
        String prefix = "layers." + layer + ".mlp.";
        yield !has(prefix + "gate.weight") && has(prefix + "gate_proj.weight");
      }
    };
  }

  private boolean has(String name) {
    return GgufNames.of(name).stream().anyMatch(file.tensors()::containsKey);
  }

  private MixtureOfExperts mixture() {
    int experts = metadata.whole(key("expert_count"), 1, MixtureOfExperts.MAXIMUM_EXPERTS);
    return new MixtureOfExperts(
        experts,
        metadata.whole(key("expert_used_count"), 1, experts),
        normalised(),
        size("expert_feed_forward_length"),
        size("expert_shared_feed_forward_length"));
  }

  // The second key is Ollama's.
  private boolean normalised() {
    return metadata
        .findFlag(key("expert_weights_norm"))
        .or(() -> metadata.findFlag(key("norm_top_k_prob")))
        .orElse(true);
  }

  private int size(String name) {
    return metadata.whole(key(name), 1, GgufConfig.MOST);
  }

  private String key(String name) {
    return model.key(name);
  }
}
