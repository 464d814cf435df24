package dev.gdn.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.tokenizer.Tokenizer;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code tokenizer.json}, and texts with the tokenizer that it makes. */
class TokenizerFuzzTest {
  private static final InputFile FILE = new InputFile("tokenizer.json");
  private static final String TEXT =
      "Once upon a time, in 1812: größer 漢字\r\n\t  <|im_start|>user e\u0301\ud83d\ude42 \ud800";

  static Stream<byte[]> samples() {
    return Stream.of(Samples.bytes(Samples.model("tokenizer/qwen3-reduced.json")));
  }

  @MethodSource("samples")
  @FuzzTest
  void readsOrRefuses(byte[] content) {
    Path file = FILE.write(content);
    Bounds.check(content.length, CheckpointException.class, () -> use(Tokenizer.read(file)));
  }

  private static void use(Tokenizer tokenizer) {
    tokenizer.decode(tokenizer.encode(TEXT));
    tokenizer.decodeSpoken(tokenizer.encode(TEXT, false));
  }
}
