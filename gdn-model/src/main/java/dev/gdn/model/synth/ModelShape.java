package dev.gdn.model.synth;

import dev.gdn.model.config.Architecture;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.FeedForwardConfig;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.RotaryConfig;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sizes of published models by name. The vocabulary is the published one but for the smallest,
 * which has that of Qwen3, so that its embedding does not outweigh its layers.
 */
public enum ModelShape {
  QWEN3_5_0_8B("qwen3.5-0.8b", 151_936, 1024, 24, dense(3584), 8, 2, 16, true),
  QWEN3_5_2B("qwen3.5-2b", 248_320, 2048, 24, dense(6144), 8, 2, 16, true),
  QWEN3_5_4B("qwen3.5-4b", 248_320, 2560, 32, dense(9216), 16, 4, 32, true),
  QWEN3_5_9B("qwen3.5-9b", 248_320, 4096, 32, dense(12288), 16, 4, 32, false),
  QWEN3_5_35B_A3B("qwen3.5-35b-a3b", 248_320, 2048, 40, experts(256, 8, 512), 16, 2, 32, false);

  /** Every so many layers one of full attention follows those of linear attention. */
  static final int FULL_ATTENTION_INTERVAL = 4;

  private static final int CONTEXT = 262_144;

  private final String title;
  private final ModelConfig config;

  ModelShape(
      String title,
      int vocabulary,
      int hidden,
      int layers,
      FeedForwardConfig feedForward,
      int heads,
      int keyValueHeads,
      int valueHeads,
      boolean tied) {
    this.title = title;
    this.config =
        new ModelConfig(
            architecture(feedForward),
            vocabulary,
            hidden,
            plan(layers),
            1e-6,
            tied,
            CONTEXT,
            new AttentionConfig(
                heads, keyValueHeads, 256, new RotaryConfig(64, 1e7, List.of(11, 11, 10))),
            new LinearAttentionConfig(16, valueHeads, 128, 128, 4),
            Collections.nCopies(layers, feedForward));
  }

  private static FeedForwardConfig dense(int intermediate) {
    return new DenseFeedForward(intermediate);
  }

  private static FeedForwardConfig experts(int count, int perToken, int intermediate) {
    return new MixtureOfExperts(count, perToken, true, intermediate, intermediate);
  }

  private static Architecture architecture(FeedForwardConfig feedForward) {
    return switch (feedForward) {
      case DenseFeedForward dense -> Architecture.QWEN3_5;
      case MixtureOfExperts mixture -> Architecture.QWEN3_5_MOE;
    };
  }

  static List<LayerType> plan(int layers) {
    return IntStream.rangeClosed(1, layers)
        .mapToObj(
            i ->
                i % FULL_ATTENTION_INTERVAL == 0
                    ? LayerType.FULL_ATTENTION
                    : LayerType.LINEAR_ATTENTION)
        .toList();
  }

  /** The model's name. */
  public String title() {
    return title;
  }

  /** The model's sizes. */
  public ModelConfig config() {
    return config;
  }

  /**
   * The model's sizes with only the first of its layers.
   *
   * @throws IllegalArgumentException if there are not so many layers
   */
  public ModelConfig config(int layers) {
    int all = config.layers().size();
    if (layers < 1 || layers > all) {
      throw new IllegalArgumentException(
          "layers: expected 1 to %d, found %d".formatted(all, layers));
    }
    return new ModelConfig(
        config.architecture(),
        config.vocabularySize(),
        config.hiddenSize(),
        config.layers().subList(0, layers),
        config.normEpsilon(),
        config.tiedEmbedding(),
        config.maxPositions(),
        config.attention(),
        config.linearAttention(),
        config.feedForwards().subList(0, layers));
  }

  /**
   * The shape of a name.
   *
   * @throws IllegalArgumentException if there is none; the message lists them
   */
  public static ModelShape named(String title) {
    for (ModelShape shape : values()) {
      if (shape.title.equals(title)) {
        return shape;
      }
    }
    List<String> known = Arrays.stream(values()).map(ModelShape::title).toList();
    throw new IllegalArgumentException(
        "shape: expected one of %s, found %s".formatted(String.join(", ", known), title));
  }
}
