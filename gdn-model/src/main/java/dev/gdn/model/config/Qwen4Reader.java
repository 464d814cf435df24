package dev.gdn.model.config;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.ConvolutionWeights;
import dev.gdn.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;

/** Reads the configuration of Qwen3.8-Flash-Next, whose model type is {@code qwen4_exp}. */
final class Qwen4Reader {
  private final JsonObject config;
  private final ConfigValues values;
  private final QwenReader family;

  Qwen4Reader(JsonObject config) {
    this.config = config;
    this.values = new ConfigValues(config);
    this.family = new QwenReader(config);
  }

  ModelConfig read(boolean tied) {
    values.refuseVariants();
    // Published configurations call the sparse layers full attention.
    List<LayerType> layers = family.layers("qwen_sparse_attention", "full_attention");
    int context = values.positions("max_position_embeddings");
    return new ModelConfig(
        Architecture.QWEN4_EXP,
        values.size("vocab_size"),
        values.size("hidden_size"),
        layers,
        values.epsilon("rms_norm_eps"),
        tied,
        context,
        attention(context),
        family.linearAttention(
            new DeltaVariant(DecayGate.PER_HEAD, 1, outputGate(), OptionalDouble.empty())),
        new FeedForwardReader(config, layers.size()).sparse(),
        new ResidualStreams(
            config.requireInteger("hc_count", 2, ResidualStreams.MAXIMUM_COUNT),
            values.size("hc_lowrank")),
        ngrams(layers));
  }

  private Activation outputGate() {
    String key = "output_gate_type";
    return switch (config.text(key).orElse("silu")) {
      case "silu" -> Activation.SILU;
      case "sigmoid" -> Activation.SIGMOID;
      default -> throw config.mismatch(key, "\"silu\" or \"sigmoid\"");
    };
  }

  private AttentionConfig attention(int context) {
    AttentionConfig dense = family.attention();
    config.requireInteger("indexer_kv_heads", 1, 1);
    int budget = config.requireInteger("indexer_budget", 1, context);
    int block = config.requireInteger("indexer_compress_ratio", 1, context);
    values.requireMultiple("indexer_budget", budget, "indexer_compress_ratio", block);
    int width = values.headWidth("indexer_head_dim");
    int rotated = dense.rotary().map(RotaryConfig::width).orElse(0);
    if (width < rotated) {
      throw config.mismatch("indexer_head_dim", "at least the rotary width " + rotated);
    }
    return new AttentionConfig(
        dense.heads(),
        dense.keyValueHeads(),
        dense.headWidth(),
        dense.rotary(),
        dense.gated(),
        dense.norm(),
        Optional.of(new IndexerConfig(values.heads("indexer_n_heads"), width, budget, block)));
  }

  private Optional<NgramConfig> ngrams(List<LayerType> layers) {
    String key = "ple_layer_ids";
    List<Integer> numbers = config.integers(key, 1, layers.size()).orElse(List.of());
    if (numbers.isEmpty()) {
      return Optional.empty();
    }
    for (int number : numbers) {
      if (layers.get(number - 1) != LayerType.LINEAR_ATTENTION) {
        throw config.problem(key, "expected layers of linear attention, found " + number);
      }
    }
    int longest = config.requireInteger("ngram_size", 2, NgramConfig.MAXIMUM_LONGEST);
    int perLength =
        config.requireInteger("heads_per_ngram", 1, NgramConfig.MAXIMUM_HEADS / (longest - 1));
    int heads = (longest - 1) * perLength;
    String widthKey = config.has("ple_embed_dim") ? "ple_embed_dim" : "hidden_size";
    int width = values.size(widthKey);
    values.requireMultiple(widthKey, width, "all n-gram heads", heads);
    return Optional.of(
        new NgramConfig(
            longest,
            perLength,
            config.requireInteger("ngram_vocab_size_base", 2, NgramConfig.MAXIMUM_ROWS / heads),
            config.requireInteger(
                "make_ngram_vocab_size_divisible_by", 1, ConfigReader.MAXIMUM_SIZE),
            config.requireInteger("split_ngram_parts", 1, ConfigReader.MAXIMUM_SIZE),
            width,
            config.requireInteger(
                "ple_conv_kernel_size",
                ConvolutionWeights.MINIMUM_WIDTH,
                ConvolutionWeights.MAXIMUM_WIDTH),
            config.requireInteger("seed", 0, Integer.MAX_VALUE),
            endToken(),
            new TreeSet<>(numbers).stream().map(number -> number - 1).toList()));
  }

  private int endToken() {
    String key = "eos_token_id";
    int most = values.size("vocab_size") - 1;
    if (!config.isList(key)) {
      return config.requireInteger(key, 0, most);
    }
    return config.integers(key, 0, most).orElse(List.of()).stream()
        .findFirst()
        .orElseThrow(() -> config.mismatch(key, "a token, or some"));
  }
}
