package dev.gdn.model.tokenizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenizerTest {
  private final Tokenizer demo = Tokenizer.read(TokenizerFiles.DEMO);
  private final Tokenizer qwen = Tokenizer.read(TokenizerFiles.QWEN3);

  @Test
  void givesTheIdsOfTheReferenceForTheDemonstrationModel() {
    List<TokenizerFiles.Case> cases = TokenizerFiles.cases("demo-cases.json");
    assertEquals(5, cases.size());
    for (TokenizerFiles.Case expected : cases) {
      assertArrayEquals(expected.ids(), demo.encode(expected.text()));
      assertEquals(expected.decoded(), demo.decode(expected.ids()));
    }
  }

  @Test
  void givesTheIdsOfTheReferenceForQwen3() {
    List<TokenizerFiles.Case> cases = TokenizerFiles.cases("qwen3-cases.json");
    assertEquals(68, cases.size());
    for (TokenizerFiles.Case expected : cases) {
      assertArrayEquals(
          expected.ids(), qwen.encode(expected.text(), true), () -> "of " + expected.text());
      assertEquals(expected.decoded(), qwen.decode(expected.ids()));
      assertEquals(expected.spoken(), qwen.decodeSpoken(expected.ids()));
    }
  }

  @Test
  void takesSpecialTokensInTextAsTextUnlessAsked() {
    String text = "<|im_start|>user <think>hi</think><|im_end|>";
    int[] parsed = qwen.encode(text, true);
    assertEquals(qwen.specialId("<|im_start|>").orElseThrow(), parsed[0]);
    assertEquals(qwen.specialId("<|im_end|>").orElseThrow(), parsed[parsed.length - 1]);
    assertTrue(IntStream.of(parsed).anyMatch(id -> id == 151667));

    int[] plain = qwen.encode(text);
    assertTrue(IntStream.of(plain).noneMatch(id -> id >= 151643), Arrays.toString(plain));
    assertArrayEquals(plain, qwen.encode(text, false));
    assertEquals(text, qwen.decode(plain));
    assertEquals(text, qwen.decode(parsed));
  }

  @Test
  void describesItsTokens() {
    assertEquals(4035, demo.vocabularySize());
    assertEquals(OptionalInt.of(4034), demo.specialId("<|im_end|>"));
    assertEquals(OptionalInt.empty(), demo.specialId("the"));
    assertTrue(demo.isSpecial(4034));
    assertFalse(demo.isSpecial(258));
    assertFalse(qwen.isSpecial(qwen.specialId("<think>").orElseThrow()));
    assertEquals(Optional.of("Ġa"), demo.token(258));
    assertArrayEquals(" a".getBytes(StandardCharsets.UTF_8), demo.bytes(258));
    assertEquals(Optional.empty(), qwen.token(1000), "an id that the reduced file leaves out");
    assertEquals("", qwen.decode(1000));
  }

  @Test
  void namesAnIdOutsideTheVocabulary() {
    for (int id : new int[] {-1, 4035}) {
      for (Runnable use :
          List.<Runnable>of(
              () -> demo.decode(258, id),
              () -> demo.decodeSpoken(258, id),
              () -> demo.token(id),
              () -> demo.isSpecial(id),
              () -> demo.bytes(id))) {
        String message = assertThrows(IllegalArgumentException.class, use::run).getMessage();
        assertEquals("token id " + id + " is outside the vocabulary, 0 to 4034", message);
      }
    }
  }

  @Test
  void decodingReversesEncodingOfAnyText() {
    Random random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      StringBuilder text = new StringBuilder();
      random
          .ints(random.nextInt(40), 0, 0x110000)
          .map(character -> random.nextBoolean() ? character : character % 0x250)
          .filter(character -> character < 0xd800 || character > 0xdfff)
          .forEach(text::appendCodePoint);
      String composed = Normalizer.normalize(text, Normalizer.Form.NFC);
      assertEquals(composed, demo.decode(demo.encode(text.toString())));
      assertEquals(composed, qwen.decode(qwen.encode(text.toString(), true)));
    }
  }

  @Test
  void encodesAnUnpairedSurrogateAsAQuestionMark() {
    assertArrayEquals(demo.encode("a? ?"), demo.encode("a\ud83d \ude00"));
  }

  @Test
  void replacesBadBytesAsTheReferenceDoes() {
    assertEquals("\ufffd\ufffd\ufffd", decodeBytes(0xed, 0xa0, 0x80), "a surrogate");
    assertEquals("\ufffd\ufffd", decodeBytes(0xed, 0xa0));
    assertEquals("\ufffd", decodeBytes(0xf0, 0x9f));
    assertEquals("\ufffd\u4e2d", decodeBytes(0xe4, 0xb8, 0xe4, 0xb8, 0xad));
    assertEquals("\ufffd\ufffdA", decodeBytes(0xe0, 0x80, 0x41));
    assertEquals("\ufffd\ufffd", decodeBytes(0xc0, 0x80));
  }

  private String decodeBytes(int... bytes) {
    return demo.decode(byteIds(demo, bytes));
  }

  static int[] byteIds(Tokenizer tokenizer, int... bytes) {
    return IntStream.of(bytes)
        .map(
            value ->
                IntStream.range(0, 256)
                    .filter(id -> Arrays.equals(tokenizer.bytes(id), new byte[] {(byte) value}))
                    .findFirst()
                    .orElseThrow())
        .toArray();
  }
}
