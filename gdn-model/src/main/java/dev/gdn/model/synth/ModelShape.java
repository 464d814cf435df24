package dev.gdn.model.synth;

import dev.gdn.model.config.Architecture;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.RotaryConfig;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Sizes of published models by name. */
public enum ModelShape {
  QWEN3_5_0_8B("qwen3.5-0.8b", 1024, 24, 3584, 8, 2, 16, true),
  QWEN3_5_2B("qwen3.5-2b", 2048, 24, 6144, 8, 2, 16, true),
  QWEN3_5_4B("qwen3.5-4b", 2560, 32, 9216, 16, 4, 32, true),
  QWEN3_5_9B("qwen3.5-9b", 4096, 32, 12288, 16, 4, 32, false);

  /** Every so many layers one of full attention follows those of linear attention. */
  static final int FULL_ATTENTION_INTERVAL = 4;

  private static final int VOCABULARY = 151_936;
  private static final int CONTEXT = 262_144;

  private final String title;
  private final ModelConfig config;

  ModelShape(
      String title,
      int hidden,
      int layers,
      int feedForward,
      int heads,
      int keyValueHeads,
      int valueHeads,
      boolean tied) {
    this.title = title;
    this.config =
        new ModelConfig(
            Architecture.QWEN3_5,
            VOCABULARY,
            hidden,
            plan(layers),
            1e-6,
            tied,
            CONTEXT,
            new AttentionConfig(
                heads, keyValueHeads, 256, new RotaryConfig(64, 1e7, List.of(11, 11, 10))),
            new LinearAttentionConfig(16, valueHeads, 128, 128, 4),
            new DenseFeedForward(feedForward));
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
