package dev.gdn.model.tokenizer;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads {@code tokenizer.json}, the format of Hugging Face's tokenizers. What would change an id
 * and is not computed here is refused by name. {@code truncation} and {@code padding} are settings
 * of the training run, which the reference puts aside when it encodes a prompt; so are they here.
 */
public final class TokenizerJson {
  private TokenizerJson() {}

  /**
   * Reads a file.
   *
   * @throws CheckpointException if it cannot be read, or asks for something that would give other
   *     ids than {@link Tokenizer} computes
   */
  public static BpeVocabulary read(Path file) {
    JsonObject json = JsonObject.read(file);
    JsonObject model = require(json, "model");
    expectType(model, "BPE");
    expectAbsentNumber(model, "dropout");
    expectEmpty(model, "continuing_subword_prefix");
    expectEmpty(model, "end_of_word_suffix");
    expectFalse(model, "byte_fallback");
    checkPostProcessor(json.object("post_processor"));
    expectType(require(json, "decoder"), "ByteLevel");
    return new BpeVocabulary(
        tokens(require(model, "vocab")),
        merges(model),
        addedTokens(json),
        splitPattern(require(json, "pre_tokenizer")),
        composes(json.object("normalizer")),
        model.flag("ignore_merges").orElse(false));
  }

  private static Map<String, Integer> tokens(JsonObject vocab) {
    Map<String, Integer> tokens = new HashMap<>();
    for (String token : vocab.keys()) {
      tokens.put(token, vocab.requireInteger(token, 0, Integer.MAX_VALUE));
    }
    return tokens;
  }

  /** Merges stand as {@code ["a", "b"]} or, in older files, as {@code "a b"}. */
  private static List<Merge> merges(JsonObject model) {
    List<Merge> merges = new ArrayList<>();
    if (model.isListOfLists("merges")) {
      for (List<String> pair : model.textLists("merges").orElseThrow()) {
        merges.add(merge(model, merges.size(), pair));
      }
    } else {
      for (String pair : model.texts("merges").orElseThrow(() -> missing(model, "merges"))) {
        merges.add(merge(model, merges.size(), List.of(pair.split(" ", -1))));
      }
    }
    return merges;
  }

  private static Merge merge(JsonObject model, int rank, List<String> pair) {
    if (pair.size() != 2 || pair.get(0).isEmpty() || pair.get(1).isEmpty()) {
      throw model.problem("merges[" + rank + "]", "expected two tokens, found " + pair);
    }
    return new Merge(pair.get(0), pair.get(1));
  }

  private static List<AddedToken> addedTokens(JsonObject json) {
    List<AddedToken> tokens = new ArrayList<>();
    for (JsonObject token : json.objects("added_tokens").orElse(List.of())) {
      expectFalse(token, "single_word");
      expectFalse(token, "lstrip");
      expectFalse(token, "rstrip");
      boolean special = token.flag("special").orElse(false);
      tokens.add(
          new AddedToken(
              token.requireInteger("id", 0, Integer.MAX_VALUE),
              token.text("content").orElseThrow(() -> missing(token, "content")),
              special,
              token.flag("normalized").orElse(!special)));
    }
    return tokens;
  }

  private static boolean composes(Optional<JsonObject> normalizer) {
    normalizer.ifPresent(object -> expectType(object, "NFC"));
    return normalizer.isPresent();
  }

  /** The one pipeline of the family: a split by a regular expression, then bytes. */
  private static String splitPattern(JsonObject preTokenizer) {
    expectType(preTokenizer, "Sequence");
    List<JsonObject> steps =
        preTokenizer
            .objects("pretokenizers")
            .orElseThrow(() -> missing(preTokenizer, "pretokenizers"));
    if (steps.size() != 2) {
      throw preTokenizer.problem(
          "pretokenizers", "expected Split and ByteLevel, found " + steps.size() + " steps");
    }
    JsonObject split = steps.get(0);
    expectType(split, "Split");
    expectText(split, "behavior", "Isolated");
    expectFalse(split, "invert");
    JsonObject bytes = steps.get(1);
    expectType(bytes, "ByteLevel");
    requireFalse(bytes, "add_prefix_space");
    requireFalse(bytes, "use_regex");
    JsonObject pattern = require(split, "pattern");
    return pattern.text("Regex").orElseThrow(() -> missing(pattern, "Regex"));
  }

  /** Post-processors that add no token: the byte-level one, and templates of the text alone. */
  private static void checkPostProcessor(Optional<JsonObject> postProcessor) {
    if (postProcessor.isEmpty()) {
      return;
    }
    JsonObject processor = postProcessor.get();
    switch (processor.text("type").orElse("")) {
      case "ByteLevel" -> {}
      case "Sequence" ->
          processor
              .objects("processors")
              .orElseThrow(() -> missing(processor, "processors"))
              .forEach(part -> checkPostProcessor(Optional.of(part)));
      case "TemplateProcessing" -> {
        List<JsonObject> parts =
            processor.objects("single").orElseThrow(() -> missing(processor, "single"));
        if (parts.size() != 1 || !parts.getFirst().has("Sequence")) {
          throw processor.mismatch("single", "the sequence alone, no added token");
        }
      }
      default -> throw processor.mismatch("type", "ByteLevel, TemplateProcessing or Sequence");
    }
  }

  private static JsonObject require(JsonObject json, String key) {
    return json.object(key).orElseThrow(() -> missing(json, key));
  }

  private static CheckpointException missing(JsonObject json, String key) {
    return json.problem(key, "missing");
  }

  private static void expectType(JsonObject json, String type) {
    expectText(json, "type", type);
  }

  private static void expectText(JsonObject json, String key, String expected) {
    if (!json.text(key).equals(Optional.of(expected))) {
      throw json.mismatch(key, "\"" + expected + "\"");
    }
  }

  private static void expectEmpty(JsonObject json, String key) {
    if (!json.text(key).orElse("").isEmpty()) {
      throw json.mismatch(key, "no text");
    }
  }

  private static void expectAbsentNumber(JsonObject json, String key) {
    if (json.number(key).orElse(0) != 0) {
      throw json.mismatch(key, "none");
    }
  }

  private static void expectFalse(JsonObject json, String key) {
    if (json.flag(key).orElse(false)) {
      throw json.mismatch(key, "false");
    }
  }

  /** Where the reference takes a missing key as true. */
  private static void requireFalse(JsonObject json, String key) {
    if (json.flag(key).orElse(true)) {
      throw json.mismatch(key, "false");
    }
  }
}
