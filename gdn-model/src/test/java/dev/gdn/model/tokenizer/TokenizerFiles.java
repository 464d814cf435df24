package dev.gdn.model.tokenizer;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The tokenizers and vectors among the test resources. */
final class TokenizerFiles {
  static final Path DEMO = path("demo.json");
  static final Path QWEN3 = path("qwen3-reduced.json");

  private TokenizerFiles() {}

  /** A text, its ids, and what these decode to, with special tokens and, if known, without. */
  record Case(
      String text, int[] ids, String decoded, @JsonProperty("decoded_skip") String spoken) {}

  static List<Case> cases(String name) {
    try {
      return List.of(new ObjectMapper().readValue(path(name).toFile(), Case[].class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path path(String name) {
    try {
      return Path.of(Objects.requireNonNull(TokenizerFiles.class.getResource(name), name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
