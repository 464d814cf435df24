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
    return new ChatTemplates(unnamed.or(() -> main), named);
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
