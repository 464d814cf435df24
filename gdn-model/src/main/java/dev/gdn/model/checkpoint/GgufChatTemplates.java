package dev.gdn.model.checkpoint;

import dev.gdn.model.gguf.GgufArray;
import dev.gdn.model.gguf.GgufMetadata;
import dev.gdn.model.gguf.GgufValue;
import dev.gdn.model.gguf.GgufWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The chat templates in a GGUF file's metadata: one without a name, and others with one. */
final class GgufChatTemplates {
  private static final String MAIN = "tokenizer.chat_template";
  private static final String NAMED = MAIN + ".";

  /** The names of the others. What counts in reading are the templates themselves. */
  private static final String NAMES = "tokenizer.chat_templates";

  /** Ids of the tokens that templates know by these names; one key is misspelt in the format. */
  private static final Map<String, String> SPECIAL_TOKENS =
      Map.of(
          "bos_token", "tokenizer.ggml.bos_token_id",
          "eos_token", "tokenizer.ggml.eos_token_id",
          "unk_token", "tokenizer.ggml.unknown_token_id",
          "sep_token", "tokenizer.ggml.seperator_token_id",
          "pad_token", "tokenizer.ggml.padding_token_id",
          "cls_token", "tokenizer.ggml.cls_token_id",
          "mask_token", "tokenizer.ggml.mask_token_id");

  private GgufChatTemplates() {}

  static ChatTemplates read(GgufMetadata metadata) {
    Map<String, String> named = new TreeMap<>();
    for (String key : metadata.values().keySet()) {
      if (key.startsWith(NAMED)) {
        named.put(key.substring(NAMED.length()), metadata.text(key));
      }
    }
    Optional<String> unnamed = metadata.findText(MAIN);
    Optional<String> main = Optional.ofNullable(named.remove(ChatTemplates.MAIN));
    return new ChatTemplates(unnamed.or(() -> main), named, specialTokens(metadata));
  }

  // A file without a tokenizer may name its end token all the same.
  private static Map<String, String> specialTokens(GgufMetadata metadata) {
    Map<String, String> tokens = new TreeMap<>();
    if (metadata.findArray(GgufVocabulary.TOKENS).isPresent()) {
      List<String> texts = metadata.strings(GgufVocabulary.TOKENS);
      SPECIAL_TOKENS.forEach(
          (name, key) ->
              metadata
                  .findWhole(key, 0, texts.size() - 1)
                  .ifPresent(id -> tokens.put(name, texts.get(id))));
    }
    return tokens;
  }

  static void write(ChatTemplates templates, GgufWriter writer) {
    templates.main().ifPresent(text -> writer.put(MAIN, GgufValue.of(text)));
    if (!templates.named().isEmpty()) {
      List<String> names = List.copyOf(templates.named().keySet());
      writer.put(NAMES, GgufValue.of(GgufArray.ofStrings(names)));
      templates.named().forEach((name, text) -> writer.put(NAMED + name, GgufValue.of(text)));
    }
  }
}
