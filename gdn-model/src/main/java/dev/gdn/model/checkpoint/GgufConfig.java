package dev.gdn.model.checkpoint;

import dev.gdn.core.kernel.ConvolutionWeights;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.GenerationConfig;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.RotaryConfig;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufMetadata;
import dev.gdn.model.gguf.GgufTensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Reads the configuration from a GGUF file's metadata, with the names that llama.cpp gives it. */
final class GgufConfig {
  /** Keys of the ids that end a text. */
  static final List<String> END_TOKENS =
      List.of(
          "tokenizer.ggml.eos_token_id",
          "tokenizer.ggml.eot_token_id",
          "tokenizer.ggml.eom_token_id");

  /** Most of any width or count of heads; published models stay far below. */
  static final int MOST = 1 << 20;

  /** Says of each block whether it is a linear one; else they come at equal intervals. */
  private static final String LINEAR_LAYERS = "attention.recurrent_layers";

  private static final int DEFAULT_FULL_ATTENTION_INTERVAL = 4;

  private final GgufFile file;
  private final GgufMetadata metadata;
  private final GgufModel model;

  /**
   * @throws CheckpointException if the file is of another architecture
   */
  GgufConfig(GgufFile file) {
    this.file = file;
    this.metadata = file.metadata();
    this.model = GgufModel.of(metadata);
  }

  ModelConfig model() {
    GgufTensor embedding = file.tensors().get(GgufNames.EMBEDDING);
    if (embedding == null || embedding.shape().rank() != 2) {
      throw new CheckpointException(
          file.path(),
          "tensor " + GgufNames.EMBEDDING,
          "expected a matrix, found " + (embedding == null ? "none" : embedding.shape()));
    }
    long vocabulary = embedding.shape().dimension(0);
    if (vocabulary > Integer.MAX_VALUE) {
      throw new CheckpointException(
          file.path(), "tensor " + GgufNames.EMBEDDING, "too many rows in " + embedding.shape());
    }
    try {
      List<LayerType> layers = layers();
      return new ModelConfig(
          model.architecture(),
          (int) vocabulary,
          size("embedding_length"),
          layers,
          metadata.real(key("attention.layer_norm_rms_epsilon")),
          !file.tensors().containsKey(GgufNames.HEAD),
          metadata.whole(key("context_length"), 1, Integer.MAX_VALUE),
          attention(),
          linearAttention(),
          new GgufFeedForwards(file, model).read(layers.size()));
    } catch (IllegalArgumentException outOfRange) {
      throw new CheckpointException(file.path(), "metadata", outOfRange.getMessage(), outOfRange);
    }
  }

  // Layers for multi-token prediction stand after the model's own and are counted with them.
  private List<LayerType> layers() {
    int blocks = metadata.whole(key("block_count"), 1, file.tensors().size());
    int extra = metadata.findWhole(key("nextn_predict_layers"), 0, blocks - 1).orElse(0);
    Optional<boolean[]> linear = metadata.findFlags(key(LINEAR_LAYERS));
    if (linear.isPresent() && linear.get().length != blocks) {
      throw metadata.problem(
          key(LINEAR_LAYERS),
          "expected %d, one for each block, found %d".formatted(blocks, linear.get().length));
    }
    int interval =
        metadata
            .findWhole(key("full_attention_interval"), 1, MOST)
            .orElse(DEFAULT_FULL_ATTENTION_INTERVAL);
    List<LayerType> layers = new ArrayList<>();
    for (int i = 0; i < blocks - extra; i++) {
      layers.add(linear.isPresent() ? layerType(linear.get()[i]) : layerType(i, interval));
    }
    return layers;
  }

  private static LayerType layerType(boolean linear) {
    return linear ? LayerType.LINEAR_ATTENTION : LayerType.FULL_ATTENTION;
  }

  static LayerType layerType(int index, int interval) {
    return layerType((index + 1) % interval != 0);
  }

  private AttentionConfig attention() {
    int width = size("attention.key_length");
    int valueWidth = size("attention.value_length");
    if (valueWidth != width) {
      throw metadata.problem(
          key("attention.value_length"),
          "expected %d, as the key's, found %d".formatted(width, valueWidth));
    }
    return new AttentionConfig(
        size("attention.head_count"), size("attention.head_count_kv"), width, rotary(width));
  }

  private RotaryConfig rotary(int headWidth) {
    String scaling = key("rope.scaling.type");
    metadata
        .findText(scaling)
        .filter(type -> !type.equals("none"))
        .ifPresent(
            type -> {
              throw metadata.problem(scaling, "expected none, found " + type);
            });
    int width = metadata.whole(key("rope.dimension_count"), 2, headWidth);
    return new RotaryConfig(width, metadata.real(key("rope.freq_base")), sections(width));
  }

  // A fourth section, if there is one, is of length 0: it is there for models with four positions.
  private List<Integer> sections(int width) {
    String key = key("rope.dimension_sections");
    Optional<long[]> stored = metadata.findWholes(key);
    if (stored.isEmpty()) {
      return List.of();
    }
    long[] lengths = stored.get();
    boolean three = lengths.length == 3 || lengths.length == 4 && lengths[3] == 0;
    long sum = 0;
    for (long length : lengths) {
      three &= length >= 0 && length <= width;
      sum += length;
    }
    if (!three || sum != width / 2) {
      throw metadata.problem(
          key,
          "expected three lengths that add up to %d, found %s"
              .formatted(width / 2, describe(lengths)));
    }
    return Arrays.stream(lengths).limit(3).mapToObj(Math::toIntExact).toList();
  }

  private static String describe(long[] lengths) {
    return lengths.length <= 8 ? Arrays.toString(lengths) : lengths.length + " lengths";
  }

  private LinearAttentionConfig linearAttention() {
    int valueHeads = size("ssm.time_step_rank");
    int values = size("ssm.inner_size");
    if (values % valueHeads != 0) {
      throw metadata.problem(
          key("ssm.inner_size"),
          "expected a multiple of the %d value heads, found %d".formatted(valueHeads, values));
    }
    return new LinearAttentionConfig(
        size("ssm.group_count"),
        valueHeads,
        size("ssm.state_size"),
        values / valueHeads,
        metadata.whole(
            key("ssm.conv_kernel"),
            ConvolutionWeights.MINIMUM_WIDTH,
            ConvolutionWeights.MAXIMUM_WIDTH));
  }

  GenerationConfig generation() {
    List<Integer> endTokens = new ArrayList<>();
    for (String key : END_TOKENS) {
      metadata
          .findWhole(key, 0, Integer.MAX_VALUE)
          .filter(id -> !endTokens.contains(id))
          .ifPresent(endTokens::add);
    }
    for (int id : GgufVocabulary.endTokens(metadata)) {
      if (!endTokens.contains(id)) {
        endTokens.add(id);
      }
    }
    Optional<Double> temperature = number("general.sampling.temp", 0, Float.MAX_VALUE);
    Optional<Double> topP = number("general.sampling.top_p", Float.MIN_VALUE, 1);
    Optional<Integer> topK = metadata.findWhole("general.sampling.top_k", 0, Integer.MAX_VALUE);
    return new GenerationConfig(
        endTokens,
        Optional.empty(),
        temperature.map(OptionalDouble::of).orElse(OptionalDouble.empty()),
        topK.map(OptionalInt::of).orElse(OptionalInt.empty()),
        topP.map(OptionalDouble::of).orElse(OptionalDouble.empty()));
  }

  private Optional<Double> number(String key, double least, double most) {
    Optional<Double> value = metadata.findReal(key);
    value.ifPresent(
        found -> {
          if (found < least || found > most) {
            throw metadata.problem(
                key, "expected %s to %s, found %s".formatted(least, most, found));
          }
        });
    return value;
  }

  private int size(String name) {
    return metadata.whole(key(name), 1, MOST);
  }

  private String key(String name) {
    return model.key(name);
  }
}
