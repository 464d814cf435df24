package dev.gdn.model.checkpoint;

import dev.gdn.core.kernel.ConvolutionWeights;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.GenerationConfig;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.RotaryConfig;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.generation.SamplingOptions;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufMetadata;
import dev.gdn.model.gguf.GgufTensor;
import dev.gdn.model.gguf.GgufValue;
import dev.gdn.model.gguf.GgufValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

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

  private static final String END_TOKEN_LIST = "tokenizer.ggml.eos_token_ids";

  /** What converters write for a model that does not say it, of whatever rotary width. */
  private static final List<Integer> DEFAULT_SECTIONS = List.of(11, 11, 10);

  private final GgufFile file;
  private final GgufMetadata metadata;
  private final GgufModel model;
  private final GgufLayers layers;

  /**
   * @throws CheckpointException if the file is of another architecture
   */
  GgufConfig(GgufFile file) {
    this.file = file;
    this.metadata = file.metadata();
    this.model = GgufModel.of(metadata);
    this.layers = new GgufLayers(file, model);
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
      List<LayerType> types = layers.types();
      return new ModelConfig(
          model.architecture(),
          (int) vocabulary,
          size("embedding_length"),
          types,
          metadata.real(key("attention.layer_norm_rms_epsilon")),
          !file.tensors().containsKey(GgufNames.HEAD),
          metadata.whole(key("context_length"), 1, Integer.MAX_VALUE),
          attention(),
          linearAttention(),
          new GgufFeedForwards(file, model).read(types.size()));
    } catch (IllegalArgumentException outOfRange) {
      throw new CheckpointException(file.path(), "metadata", outOfRange.getMessage(), outOfRange);
    }
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
        size("attention.head_count"), layers.keyValueHeads(), width, rotary(width));
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
  // Text has one position for all, so that sections change no number of it.
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
      three &= length >= 0 && length <= MOST;
      sum += length;
    }
    if (three && sections(lengths).equals(DEFAULT_SECTIONS) && sum != width / 2) {
      return List.of();
    }
    if (!three || sum != width / 2) {
      throw metadata.problem(
          key,
          "expected three lengths that add up to %d, found %s"
              .formatted(width / 2, describe(lengths)));
    }
    return sections(lengths);
  }

  private static List<Integer> sections(long[] lengths) {
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
    Set<Integer> endTokens = new LinkedHashSet<>();
    END_TOKENS.forEach(key -> endToken(key).ifPresent(endTokens::add));
    endTokens.addAll(listedEndTokens());
    endTokens.addAll(GgufVocabulary.endTokens(metadata));
    Optional<Integer> topK = metadata.findWhole("general.sampling.top_k", 0, Integer.MAX_VALUE);
    return new GenerationConfig(
        List.copyOf(endTokens),
        Optional.empty(),
        sampling("temp", 0, Float.MAX_VALUE),
        topK.map(OptionalInt::of).orElse(OptionalInt.empty()),
        sampling("top_p", Float.MIN_NORMAL, 1),
        sampling("min_p", 0, 1),
        sampling(
            "penalty_repeat",
            SamplingOptions.LEAST_REPETITION_PENALTY,
            SamplingOptions.MOST_REPETITION_PENALTY));
  }

  private OptionalDouble sampling(String name, double least, double most) {
    return number("general.sampling." + name, least, most)
        .map(OptionalDouble::of)
        .orElse(OptionalDouble.empty());
  }

  /** Minus one, which files of unsigned numbers hold as 2^32 - 1, says that there is none. */
  private Optional<Integer> endToken(String key) {
    boolean none =
        metadata.values().get(key) instanceof GgufValue.Whole(GgufValueType type, long id)
            && (id == -1 || type == GgufValueType.UINT32 && id == 0xFFFF_FFFFL);
    return none ? Optional.empty() : metadata.findWhole(key, 0, Integer.MAX_VALUE);
  }

  private List<Integer> listedEndTokens() {
    List<Integer> ids = new ArrayList<>();
    for (long id : metadata.findWholes(END_TOKEN_LIST).orElse(new long[0])) {
      if (id < 0 || id > Integer.MAX_VALUE) {
        throw metadata.problem(END_TOKEN_LIST, "expected ids of at least 0, found " + id);
      }
      ids.add((int) id);
    }
    return ids;
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
