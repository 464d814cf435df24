package dev.gdn.model.checkpoint;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.file.BoundedText;
import dev.gdn.model.file.FileKind;
import dev.gdn.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads the chat templates of a hub folder from where transformers looks for them: {@code
 * chat_template.jinja} and {@code additional_chat_templates}, which go before {@code
 * tokenizer_config.json}. That holds one template or a list of named ones, and the special tokens.
 */
final class HubChatTemplates {
  static final String FILE = "chat_template.jinja";
  static final String MORE = "additional_chat_templates";
  static final String CONFIG = "tokenizer_config.json";
  private static final String KEY = "chat_template";
  private static final String SUFFIX = ".jinja";

  /** Transformers gives a template those of its special_tokens_map. */
  private static final List<String> SPECIAL_TOKENS =
      List.of(
          "bos_token",
          "eos_token",
          "unk_token",
          "sep_token",
          "pad_token",
          "cls_token",
          "mask_token");

  /** Published templates have some ten kilobytes. */
  private static final long MOST_BYTES = 4L << 20;

  private HubChatTemplates() {}

  static ChatTemplates read(Path folder) {
    Map<String, String> all = new TreeMap<>();
    Map<String, String> tokens = new TreeMap<>();
    Path file = folder.resolve(CONFIG);
    if (FileKind.isThere(file)) {
      JsonObject config = JsonObject.read(file);
      all.putAll(configured(config));
      tokens.putAll(specialTokens(config));
    }
    Path more = folder.resolve(MORE);
    if (FileKind.isThere(more)) {
      for (Path one : templates(more)) {
        String name = one.getFileName().toString();
        all.put(name.substring(0, name.length() - SUFFIX.length()), text(one));
      }
    }
    Path single = folder.resolve(FILE);
    if (FileKind.isThere(single)) {
      all.put(ChatTemplates.MAIN, text(single));
    }
    Optional<String> main = Optional.ofNullable(all.remove(ChatTemplates.MAIN));
    return new ChatTemplates(main, all, tokens);
  }

  private static Map<String, String> configured(JsonObject config) {
    if (!config.isList(KEY)) {
      return config.text(KEY).map(text -> Map.of(ChatTemplates.MAIN, text)).orElse(Map.of());
    }
    Map<String, String> named = new TreeMap<>();
    for (JsonObject entry : config.objects(KEY).orElse(List.of())) {
      String name = entry.text("name").orElseThrow(() -> entry.mismatch("name", "a string"));
      String text =
          entry.text("template").orElseThrow(() -> entry.mismatch("template", "a string"));
      if (named.put(name, text) != null) {
        throw entry.mismatch("name", "each name once");
      }
    }
    return named;
  }

  // A token is a string, or an object that says more of it than its text.
  private static Map<String, String> specialTokens(JsonObject config) {
    Map<String, String> tokens = new TreeMap<>();
    for (String name : SPECIAL_TOKENS) {
      Optional<String> text =
          config.isObject(name)
              ? config.object(name).flatMap(token -> token.text("content"))
              : config.text(name);
      text.ifPresent(token -> tokens.put(name, token));
    }
    return tokens;
  }

  private static List<Path> templates(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw problem(folder, "expected a folder, found " + FileKind.describe(folder), null);
    }
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      found.forEach(files::add);
    } catch (IOException failure) {
      throw problem(folder, "cannot be read: " + failure.getMessage(), failure);
    }
    return files;
  }

  private static String text(Path file) {
    try {
      return BoundedText.read(file, MOST_BYTES);
    } catch (IOException failure) {
      throw problem(file, BoundedText.problem(failure), failure);
    }
  }

  private static CheckpointException problem(Path file, String problem, IOException cause) {
    return new CheckpointException(file, "chat template", problem, cause);
  }
}
