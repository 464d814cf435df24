package dev.gdn.cli;

import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.FeedForwardConfig;
import dev.gdn.model.config.FullAttentionConfig;
import dev.gdn.model.config.IndexerConfig;
import dev.gdn.model.config.LatentAttentionConfig;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.RotaryConfig;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a configuration says, for people.
 *
 * @param config the model's sizes
 */
record ModelDescription(ModelConfig config) {
  void print(PrintWriter out) {
    LinearAttentionConfig linear = config.linearAttention();
    line(out, "architecture", config.architecture().toString());
    line(out, "vocabulary", "%d, %s head".formatted(config.vocabularySize(), head()));
    line(out, "hidden size", Integer.toString(config.hiddenSize()));
    line(out, "layers", "%d: %s".formatted(config.layers().size(), plan()));
    line(
        out,
        "linear attention (L)",
        "%d key heads of %d, %d value heads of %d, convolution over %d tokens"
            .formatted(
                linear.keyHeads(),
                linear.keyWidth(),
                linear.valueHeads(),
                linear.valueWidth(),
                linear.convolutionWidth()));
    line(out, "full attention (A)", describe(config.attention()));
    line(out, "feed-forward", feedForward());
    line(out, "context", config.maxPositions() + " tokens");
    line(
        out,
        "state of a session",
        "%s fixed, and %s for each thousand tokens"
            .formatted(megabytes(fixedBytes()), megabytes(1000 * bytesPerToken())));
  }

  private static String describe(FullAttentionConfig attention) {
    return switch (attention) {
      case AttentionConfig c ->
          "%d query heads, %d key-value heads of %d, rotary width %d%s"
              .formatted(
                  c.heads(),
                  c.keyValueHeads(),
                  c.headWidth(),
                  c.rotary().map(RotaryConfig::width).orElse(0),
                  c.indexer().map(ModelDescription::describe).orElse(""));
      case LatentAttentionConfig c ->
          "%d query heads of %d, latent vectors of %d, shared keys of %d, no rotary embedding"
              .formatted(c.heads(), c.keyWidth(), c.latentWidth(), c.sharedKeyWidth());
    };
  }

  private static String describe(IndexerConfig indexer) {
    return ", %d tokens chosen in blocks of %d".formatted(indexer.budget(), indexer.blockTokens());
  }

  private String feedForward() {
    Map<FeedForwardConfig, Long> layers =
        config.feedForwards().stream()
            .collect(
                Collectors.groupingBy(
                    Function.identity(), LinkedHashMap::new, Collectors.counting()));
    if (layers.size() == 1) {
      return describe(config.feedForwards().getFirst());
    }
    return layers.entrySet().stream()
        .map(kind -> "%s (%d of the layers)".formatted(describe(kind.getKey()), kind.getValue()))
        .collect(Collectors.joining("; "));
  }

  private static String describe(FeedForwardConfig feedForward) {
    return switch (feedForward) {
      case DenseFeedForward dense -> "dense, " + dense.intermediateSize();
      case MixtureOfExperts mixture ->
          "%d of %d experts of %d, a shared one of %d"
              .formatted(
                  mixture.expertsPerToken(),
                  mixture.experts(),
                  mixture.intermediateSize(),
                  mixture.sharedIntermediateSize());
    };
  }

  private String head() {
    return config.tiedEmbedding() ? "tied" : "untied";
  }

  private String plan() {
    return config.layers().stream()
        .map(
            type ->
                switch (type) {
                  case LINEAR_ATTENTION -> "L";
                  case FULL_ATTENTION -> "A";
                })
        .collect(Collectors.joining(" "));
  }

  /** Recurrent states and convolution windows, float32. */
  long fixedBytes() {
    LinearAttentionConfig linear = config.linearAttention();
    long state = linear.stateSize();
    long window = (linear.convolutionWidth() - 1L) * linear.convolutionChannels();
    long ngrams =
        config
            .ngrams()
            .map(c -> (long) c.layers().size() * c.longest() * (c.convolutionWidth() - 1))
            .orElse(0L);
    return Float.BYTES
        * (count(LayerType.LINEAR_ATTENTION) * (state + window) + ngrams * config.residualWidth());
  }

  /** Keys and values, float32. */
  long bytesPerToken() {
    long numbers =
        switch (config.attention()) {
          case AttentionConfig c ->
              2L * c.keyValueSize()
                  + c.indexer().map(i -> i.headWidth() / i.blockTokens()).orElse(0);
          case LatentAttentionConfig c -> c.cacheWidth();
        };
    return count(LayerType.FULL_ATTENTION) * Float.BYTES * numbers;
  }

  private long count(LayerType type) {
    return config.layers().stream().filter(type::equals).count();
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.2f MB", bytes * 1e-6);
  }

  private static void line(PrintWriter out, String what, String value) {
    out.printf("%-21s %s%n", what, value);
  }
}
