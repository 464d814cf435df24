package dev.gdn.model.checkpoint;

import dev.gdn.model.CheckpointException;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufMetadata;
import dev.gdn.model.tokenizer.AddedToken;
import dev.gdn.model.tokenizer.BpeVocabulary;
import dev.gdn.model.tokenizer.Merge;
import dev.gdn.model.tokenizer.Tokenizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the tokenizer from a GGUF file's metadata: tokens with their types, merges, and the name of
 * the pre-tokenizer, which stands for a split pattern that the file does not hold.
 */
final class GgufVocabulary {
  private static final String MODEL = "tokenizer.ggml.model";
  private static final String PRE_TOKENIZER = "tokenizer.ggml.pre";
  private static final String TOKENS = "tokenizer.ggml.tokens";
  private static final String TYPES = "tokenizer.ggml.token_type";
  private static final String MERGES = "tokenizer.ggml.merges";

  // Of llama.cpp's token types; the others are 1 normal, 2 unknown and 6 byte.
  private static final long CONTROL = 3;
  private static final long USER_DEFINED = 4;
  private static final long UNUSED = 5;

  /** The split patterns of the family's published tokenizer.json files. */
  private static final Map<String, String> SPLIT_PATTERNS =
      Map.of(
          "qwen2",
          "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}"
              + "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
          "qwen35",
          "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}"
              + "| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+");

  private GgufVocabulary() {}

  static Tokenizer read(GgufFile file) {
    GgufMetadata metadata = file.metadata();
    expect(metadata, MODEL, List.of("gpt2"));
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

  private static String expect(GgufMetadata metadata, String key, List<String> known) {
    String found = metadata.text(key);
    if (!known.contains(found)) {
      throw metadata.problem(
          key, "expected %s, found %s".formatted(String.join(" or ", known), found));
    }
    return found;
  }
}
