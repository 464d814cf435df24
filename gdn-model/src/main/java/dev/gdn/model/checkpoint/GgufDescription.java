package dev.gdn.model.checkpoint;

import dev.gdn.model.config.Architecture;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.FeedForwardConfig;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.RotaryConfig;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.gguf.GgufArray;
import dev.gdn.model.gguf.GgufValue;
import dev.gdn.model.gguf.GgufWriter;
import dev.gdn.model.tokenizer.AddedToken;
import dev.gdn.model.tokenizer.BpeVocabulary;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;

/** Writes a configuration and a tokenizer into a GGUF file's metadata, as llama.cpp reads them. */
public final class GgufDescription {
  private static final int POSITIONS = 4;

  private final GgufWriter writer;
  private final GgufModel model;

  /**
   * @param writer takes the metadata
   * @param architecture of the model that is described
   */
  public GgufDescription(GgufWriter writer, Architecture architecture) {
    this.writer = writer;
    this.model = GgufModel.of(architecture);
  }

  /**
   * Adds a model's sizes.
   *
   * @param type of the matrices
   */
  public void putModel(String name, ModelConfig config, FileType type) {
    AttentionConfig attention = (AttentionConfig) config.attention();
    LinearAttentionConfig linear = config.linearAttention();
    writer.put("general.architecture", GgufValue.of(model.title()));
    writer.put("general.name", GgufValue.of(name));
    writer.put("general.file_type", GgufValue.of(type.id()));
    put("context_length", config.maxPositions());
    put("embedding_length", config.hiddenSize());
    put("block_count", config.layers().size());
    putFeedForwards(config);
    put("attention.head_count", attention.heads());
    put("attention.head_count_kv", attention.keyValueHeads());
    put("attention.key_length", attention.headWidth());
    put("attention.value_length", attention.headWidth());
    put("attention.layer_norm_rms_epsilon", GgufValue.of(config.normEpsilon()));
    put("rope.freq_base", GgufValue.of(rotary(attention).theta()));
    put("rope.dimension_count", rotary(attention).width());
    if (model.rotarySections()) {
      put("rope.dimension_sections", GgufValue.of(GgufArray.ofInts(sections(attention))));
    }
    putLayerTypes(config.layers());
    put("ssm.conv_kernel", linear.convolutionWidth());
    put("ssm.inner_size", linear.valueSize());
    put("ssm.state_size", linear.keyWidth());
    put("ssm.time_step_rank", linear.valueHeads());
    put("ssm.group_count", linear.keyHeads());
  }

  // Layers of one kind have the same sizes.
  private void putFeedForwards(ModelConfig config) {
    for (FeedForwardConfig feedForward : new LinkedHashSet<>(config.feedForwards())) {
      switch (feedForward) {
        case DenseFeedForward dense -> put("feed_forward_length", dense.intermediateSize());
        case MixtureOfExperts mixture -> {
          put("expert_count", mixture.experts());
          put("expert_used_count", mixture.expertsPerToken());
          put("expert_weights_norm", GgufValue.of(mixture.normalised()));
          put("expert_feed_forward_length", mixture.intermediateSize());
          put("expert_shared_feed_forward_length", mixture.sharedIntermediateSize());
        }
      }
    }
  }

  /** With one position for each token, all pairs follow the first. */
  private static int[] sections(AttentionConfig attention) {
    List<Integer> lengths = rotary(attention).sections();
    int[] sections = new int[POSITIONS];
    sections[0] = rotary(attention).width() / 2;
    for (int i = 0; i < lengths.size(); i++) {
      sections[i] = lengths.get(i);
    }
    return sections;
  }

  // An interval where there is one, for that is what all programs read; else each layer by itself.
  private void putLayerTypes(List<LayerType> layers) {
    int first = layers.indexOf(LayerType.FULL_ATTENTION);
    int interval = first < 0 ? layers.size() + 1 : first + 1;
    boolean[] linear = new boolean[layers.size()];
    boolean regular = true;
    for (int i = 0; i < linear.length; i++) {
      linear[i] = layers.get(i) == LayerType.LINEAR_ATTENTION;
      regular &= layers.get(i) == GgufLayers.layerType(i, interval);
    }
    if (regular) {
      put(GgufLayers.INTERVAL, interval);
    } else {
      put(GgufLayers.LINEAR_LAYERS, GgufValue.of(GgufArray.ofBooleans(linear)));
    }
  }

  /**
   * Adds a tokenizer.
   *
   * @param size rows of the embedding; ids without a token are padded
   * @param endTokens ids that end a text, the most usual first
   * @throws IllegalArgumentException if a token's id is not below the size, or llama.cpp has no
   *     name for the split pattern
   */
  public void putTokenizer(BpeVocabulary vocabulary, int size, List<Integer> endTokens) {
    String preTokenizer =
        GgufVocabulary.preTokenizer(vocabulary.splitPattern())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "split pattern: expected that of a Qwen tokenizer, found "
                            + vocabulary.splitPattern()));
    String[] tokens = new String[size];
    int[] types = new int[size];
    for (int id = 0; id < size; id++) {
      tokens[id] = "[PAD" + id + "]";
    }
    Arrays.fill(types, GgufVocabulary.UNUSED);
    vocabulary
        .tokens()
        .forEach((token, id) -> set(tokens, types, id, token, GgufVocabulary.NORMAL));
    for (AddedToken token : vocabulary.addedTokens()) {
      int type = token.special() ? GgufVocabulary.CONTROL : GgufVocabulary.USER_DEFINED;
      set(tokens, types, token.id(), token.text(), type);
    }
    writer.put(GgufVocabulary.MODEL, GgufValue.of(GgufVocabulary.BYTE_LEVEL));
    writer.put(GgufVocabulary.PRE_TOKENIZER, GgufValue.of(preTokenizer));
    writer.put(GgufVocabulary.ADD_BEGIN, GgufValue.of(false));
    writer.put(GgufVocabulary.TOKENS, GgufValue.of(GgufArray.ofStrings(List.of(tokens))));
    writer.put(GgufVocabulary.TYPES, GgufValue.of(GgufArray.ofInts(types)));
    List<String> merges =
        vocabulary.merges().stream().map(merge -> merge.left() + " " + merge.right()).toList();
    writer.put(GgufVocabulary.MERGES, GgufValue.of(GgufArray.ofStrings(merges)));
    putEndTokens(endTokens);
  }

  /** Adds the chat templates, as they are. */
  public void putChatTemplates(ChatTemplates templates) {
    GgufChatTemplates.write(templates, writer);
  }

  /**
   * Says that there is no tokenizer: the model takes and gives ids.
   *
   * @param size rows of the embedding
   * @param endTokens ids that end a text, the most usual first
   */
  public void putNoTokenizer(int size, List<Integer> endTokens) {
    writer.put(GgufVocabulary.MODEL, GgufValue.of(GgufVocabulary.NONE));
    put("vocab_size", size);
    putEndTokens(endTokens);
  }

  private void putEndTokens(List<Integer> endTokens) {
    for (int i = 0; i < Math.min(endTokens.size(), GgufConfig.END_TOKENS.size()); i++) {
      writer.put(GgufConfig.END_TOKENS.get(i), GgufValue.of(endTokens.get(i)));
    }
  }

  /** All models that are written as GGUF have one. */
  private static RotaryConfig rotary(AttentionConfig attention) {
    return attention.rotary().orElseThrow();
  }

  private static void set(String[] tokens, int[] types, int id, String token, int type) {
    if (id >= tokens.length) {
      throw new IllegalArgumentException(
          "token \"%s\": expected an id below %d, found %d".formatted(token, tokens.length, id));
    }
    tokens[id] = token;
    types[id] = type;
  }

  private void put(String key, int value) {
    put(key, GgufValue.of(value));
  }

  private void put(String key, GgufValue value) {
    writer.put(model.key(key), value);
  }
}
