package dev.gdn.model.checkpoint;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.gguf.GgufArray;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufMetadata;
import dev.gdn.model.gguf.GgufValueType;
import dev.gdn.model.tokenizer.AddedToken;
import dev.gdn.model.tokenizer.BpeVocabulary;
import dev.gdn.model.tokenizer.Merge;
import dev.gdn.model.tokenizer.SplitPatterns;
import dev.gdn.model.tokenizer.Tokenizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the tokenizer from a GGUF file's metadata: tokens with their types, merges, and the name of
 * the pre-tokenizer, which stands for a split pattern that the file does not hold.
 */
final class GgufVocabulary {
  static final String MODEL = "tokenizer.ggml.model";
  static final String PRE_TOKENIZER = "tokenizer.ggml.pre";
  static final String TOKENS = "tokenizer.ggml.tokens";
  static final String TYPES = "tokenizer.ggml.token_type";
  static final String MERGES = "tokenizer.ggml.merges";
  static final String ADD_BEGIN = "tokenizer.ggml.add_bos_token";
  private static final String ADD_END = "tokenizer.ggml.add_eos_token";

  /** The tokenizer model of GPT-2: byte-level byte-pair encoding. */
  static final String BYTE_LEVEL = "gpt2";

  /** What stands for it in a file without a tokenizer. */
  static final String NONE = "none";

  // Of llama.cpp's token types; the other is 2, unknown.
  static final int NORMAL = 1;
  static final int CONTROL = 3;
  static final int USER_DEFINED = 4;
  static final int UNUSED = 5;
  private static final int BYTE = 6;

  private static final Map<String, String> SPLIT_PATTERNS =
      Map.of("qwen2", SplitPatterns.QWEN2, "qwen35", SplitPatterns.QWEN3_5);

  /** What ends a turn or a text; converters name but one of them. */
  private static final Set<String> END_TEXTS = Set.of("<|im_end|>", "<|endoftext|>");

  private GgufVocabulary() {}

  /**
   * Ids of the control tokens that end a text by what they are, whether or not the file says so.
   * llama.cpp ends a text at them too.
   */
  static List<Integer> endTokens(GgufMetadata metadata) {
    Optional<GgufArray> tokens = metadata.findArray(TOKENS);
    Optional<long[]> types = metadata.findWholes(TYPES);
    if (tokens.isEmpty() || tokens.get().elementType() != GgufValueType.STRING) {
      return List.of();
    }
    List<Integer> ids = new ArrayList<>();
    for (int id : tokens.get().indicesOf(END_TEXTS)) {
      if (types.isPresent() && id < types.get().length && types.get()[id] == CONTROL) {
        ids.add(id);
      }
    }
    return ids;
  }

  /** The name of a split pattern, if it has one. */
  static Optional<String> preTokenizer(String splitPattern) {
    return SPLIT_PATTERNS.entrySet().stream()
        .filter(entry -> entry.getValue().equals(splitPattern))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  static Tokenizer read(GgufFile file) {
    GgufMetadata metadata = file.metadata();
    expect(metadata, MODEL, List.of(BYTE_LEVEL));
    refuseFlag(metadata, ADD_BEGIN);
    refuseFlag(metadata, ADD_END);
    List<String> tokens = metadata.strings(TOKENS);
    long[] types = types(metadata, tokens.size());
    Map<String, Integer> ids = new HashMap<>();
    List<AddedToken> added = new ArrayList<>();
    for (int id = 0; id < types.length; id++) {
      String token = tokens.get(id);
      if (types[id] == CONTROL || types[id] == USER_DEFINED) {
        added.add(new AddedToken(id, token, types[id] == CONTROL, false));
      } else if (types[id] != UNUSED && ids.put(token, id) != null) {
        throw metadata.problem(TOKENS, "expected each once, found \"%s\" twice".formatted(token));
      }
    }
    List<String> patterns = SPLIT_PATTERNS.keySet().stream().sorted().toList();
    String pattern = SPLIT_PATTERNS.get(expect(metadata, PRE_TOKENIZER, patterns));
    try {
      return Tokenizer.of(new BpeVocabulary(ids, merges(metadata), added, pattern, true, false));
    } catch (IllegalArgumentException contradiction) {
      throw new CheckpointException(
          file.path(), "tokenizer", contradiction.getMessage(), contradiction);
    }
  }

  private static long[] types(GgufMetadata metadata, int count) {
    long[] types =
        metadata
            .findWholes(TYPES)
            .orElseThrow(() -> metadata.problem(TYPES, "missing, expected an array of integers"));
    if (types.length != count) {
      throw metadata.problem(
          TYPES, "expected %d, one for each token, found %d".formatted(count, types.length));
    }
    for (int id = 0; id < count; id++) {
      if (types[id] < NORMAL || types[id] > BYTE) {
        throw metadata.problem(
            TYPES, "token %d: expected %d to %d, found %d".formatted(id, NORMAL, BYTE, types[id]));
      }
    }
    return types;
  }

  private static List<Merge> merges(GgufMetadata metadata) {
    List<Merge> merges = new ArrayList<>();
    for (String pair : metadata.strings(MERGES)) {
      int space = pair.indexOf(' ');
      if (space < 1 || space == pair.length() - 1 || pair.indexOf(' ', space + 1) >= 0) {
        throw metadata.problem(
            MERGES,
            "merge %d: expected two tokens and a space between them, found \"%s\""
                .formatted(merges.size(), pair));
      }
      merges.add(new Merge(pair.substring(0, space), pair.substring(space + 1)));
    }
    return merges;
  }

  /** No model of the family has texts begin or end with a token of their own. */
  private static void refuseFlag(GgufMetadata metadata, String key) {
    if (metadata.findFlag(key).orElse(false)) {
      throw metadata.problem(key, "expected false, found true");
    }
  }

  private static String expect(GgufMetadata metadata, String key, List<String> known) {
    String found = metadata.text(key);
    if (!known.contains(found)) {
      throw metadata.problem(
          key, "expected %s, found %s".formatted(String.join(" or ", known), found));
    }
    return found;
  }
}
