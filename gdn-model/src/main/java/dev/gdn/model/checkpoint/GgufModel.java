package dev.gdn.model.checkpoint;

import dev.gdn.core.rule.HeadMapping;
import dev.gdn.model.config.Architecture;
import dev.gdn.model.gguf.GgufMetadata;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The models that GGUF files are of, with what llama.cpp lays out differently for each. */
public enum GgufModel {
  QWEN35("qwen35", Architecture.QWEN3_5, HeadMapping.TILED, true),
  QWEN35MOE("qwen35moe", Architecture.QWEN3_5_MOE, HeadMapping.TILED, true),
  QWEN3NEXT("qwen3next", Architecture.QWEN3_NEXT, HeadMapping.GROUPED, false);

  private static final String KEY = "general.architecture";

  /** Ollama's key for value heads that are tiled. */
  private static final String TILED = "ssm.v_head_reordered";

  private final String title;
  private final Architecture architecture;
  private final HeadMapping headMapping;
  private final boolean rotarySections;

  GgufModel(
      String title, Architecture architecture, HeadMapping headMapping, boolean rotarySections) {
    this.title = title;
    this.architecture = architecture;
    this.headMapping = headMapping;
    this.rotarySections = rotarySections;
  }

  /**
   * The model that a file is of.
   *
   * @throws dev.gdn.model.error.CheckpointException if it is not supported
   */
  static GgufModel of(GgufMetadata metadata) {
    String title = metadata.text(KEY);
    return Arrays.stream(values())
        .filter(model -> model.title.equals(title))
        .findFirst()
        .orElseThrow(
            () ->
                metadata.problem(
                    KEY,
                    "expected %s, found %s"
                        .formatted(
                            Arrays.stream(values())
                                .map(GgufModel::title)
                                .collect(Collectors.joining(", ")),
                            title)));
  }

  /**
   * The model that a checkpoint of an architecture is written as.
   *
   * @throws IllegalArgumentException if GGUF files of it are not supported
   */
  public static GgufModel of(Architecture architecture) {
    return switch (architecture) {
      case QWEN3_5 -> QWEN35;
      case QWEN3_5_MOE -> QWEN35MOE;
      case QWEN3_NEXT -> QWEN3NEXT;
      case OLMO_HYBRID, KIMI_LINEAR, QWEN4_EXP ->
          throw new IllegalArgumentException(
              "architecture: expected one that is written as GGUF, %s, found %s"
                  .formatted(
                      Arrays.stream(values())
                          .map(model -> model.architecture.name())
                          .collect(Collectors.joining(", ")),
                      architecture));
    };
  }

  /** The file's {@code general.architecture}, with which its keys begin. */
  String title() {
    return title;
  }

  Architecture architecture() {
    return architecture;
  }

  /**
   * Which key head a value head uses: the order of everything that goes by value heads. What
   * llama.cpp takes for granted, and {@code convert} writes.
   */
  public HeadMapping headMapping() {
    return headMapping;
  }

  /** Which key head a value head uses in a file: it may say so itself. */
  HeadMapping headMapping(GgufMetadata metadata) {
    return metadata
        .findFlag(key(TILED))
        .map(tiled -> tiled ? HeadMapping.TILED : HeadMapping.GROUPED)
        .orElse(headMapping);
  }

  /** Whether a file must say how rotary pairs are divided among positions. */
  boolean rotarySections() {
    return rotarySections;
  }

  /** Whether beta and the input of the decay gate stand in one tensor, key head by key head. */
  public boolean joinsBetaAndAlpha() {
    return this == QWEN3NEXT;
  }

  /** The key of one of the model's sizes. */
  String key(String name) {
    return title + "." + name;
  }
}
