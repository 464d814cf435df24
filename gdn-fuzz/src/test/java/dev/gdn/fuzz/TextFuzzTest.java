package dev.gdn.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.gdn.model.tokenizer.StreamingDecoder;
import dev.gdn.model.tokenizer.TextPart;
import dev.gdn.model.tokenizer.Tokenizer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Texts for tokenizers, each input as UTF-8 and as UTF-16 with whatever surrogates. No text is
 * refused, and ids give back what they encode, composed (NFC) as both vocabularies ask for.
 */
class TextFuzzTest {
  private static final List<Tokenizer> TOKENIZERS =
      Stream.of("qwen3-reduced.json", "demo.json")
          .map(name -> Tokenizer.read(Samples.model("tokenizer/" + name)))
          .toList();

  static Stream<byte[]> samples() {
    return Stream.of(
            "Once upon a time there was a little girl's 1812 cats.\r\n\n\t  They're\u00a0fine!?",
            "<|im_start|>user\n<think>hi</think><|im_end|><|im_<|im_end|>\u0338<|endoftext",
            "größer gro\u0308ßer 漢字 \uac00\u1100\u1161\u11a8 \u0f73\u0f71\u0344 \ud83d\ude42",
            "a".repeat(300) + " " + "ab".repeat(200) + " ".repeat(100) + "\n".repeat(100))
        .flatMap(
            text ->
                Stream.of(
                    text.getBytes(StandardCharsets.UTF_8),
                    (text + "\ud83d \ude42").getBytes(StandardCharsets.UTF_16BE)));
  }

  /** No text is refused. */
  private static final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @MethodSource("samples")
  @FuzzTest
  void idsGiveBackWhatTheyEncode(byte[] content) {
    String bytes = new String(content, StandardCharsets.UTF_8);
    String characters = ByteBuffer.wrap(content).asCharBuffer().toString();
    for (Tokenizer tokenizer : TOKENIZERS) {
      for (String text : List.of(bytes, characters)) {
        Bounds.check(content.length, Refusal.class, () -> use(tokenizer, text));
      }
    }
  }

  private static void use(Tokenizer tokenizer, String text) {
    int[] plain = tokenizer.encode(text);
    assertTrue(IntStream.of(plain).noneMatch(tokenizer::isSpecial), () -> Arrays.toString(plain));
    assertEquals(withoutLoneSurrogates(composed(text)), tokenizer.decode(plain));
    assertEquals(tokenizer.decode(plain), streamed(tokenizer, plain));

    int[] parsed = tokenizer.encode(text, true);
    // What stands between tokens is composed by itself.
    assertEquals(composed(withoutLoneSurrogates(text)), composed(tokenizer.decode(parsed)));
    assertArrayEquals(
        parsed,
        tokenizer.cutAtSpecialTokens(text).stream()
            .flatMapToInt(part -> idsOf(part, tokenizer))
            .toArray());
  }

  private static IntStream idsOf(TextPart part, Tokenizer tokenizer) {
    return part.special().isPresent()
        ? IntStream.of(part.special().getAsInt())
        : IntStream.of(tokenizer.encode(part.text(), true));
  }

  private static String streamed(Tokenizer tokenizer, int[] ids) {
    StreamingDecoder decoder = new StreamingDecoder(tokenizer);
    StringBuilder text = new StringBuilder();
    for (int id : ids) {
      text.append(decoder.accept(id));
    }
    return text.append(decoder.finish()).toString();
  }

  private static String composed(String text) {
    return Normalizer.normalize(text, Normalizer.Form.NFC);
  }

  /** They become question marks. */
  private static String withoutLoneSurrogates(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
