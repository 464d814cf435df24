package dev.gdn.model.chat;

import dev.gdn.model.tokenizer.Tokenizer;
import java.net.URISyntaxException;
import java.nio.file.Path;

/** The tokenizer that the tests of this package encode with. */
final class TokenizerFile {
  private static final String QWEN3 = "/dev/gdn/model/tokenizer/qwen3-reduced.json";

  private TokenizerFile() {}

  static Tokenizer read() {
    try {
      return Tokenizer.read(Path.of(TokenizerFile.class.getResource(QWEN3).toURI()));
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
