package dev.gdn.model.tokenizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import org.junit.jupiter.api.Test;

class StreamingDecoderTest {
  private final Tokenizer tokenizer = Tokenizer.read(TokenizerFiles.DEMO);

  @Test
  void holdsACharacterBackUntilItsLastByte() {
    StreamingDecoder decoder = new StreamingDecoder(tokenizer);
    int[] ids = TokenizerTest.byteIds(tokenizer, 'a', 0xf0, 0x9f, 0xa6, 0x99, 'b');
    assertEquals("a", decoder.accept(ids[0]));
    assertEquals("", decoder.accept(ids[1]));
    assertEquals("", decoder.accept(ids[2]));
    assertEquals("", decoder.accept(ids[3]));
    assertEquals("🦙", decoder.accept(ids[4]));
    assertEquals("b", decoder.accept(ids[5]));
    assertEquals("", decoder.finish());
  }

  @Test
  void replacesACharacterThatStaysUnfinished() {
    StreamingDecoder decoder = new StreamingDecoder(tokenizer);
    int[] ids = TokenizerTest.byteIds(tokenizer, 0xe4, 0xb8, 'x');
    decoder.accept(ids[0]);
    decoder.accept(ids[1]);
    assertEquals("\ufffd", decoder.finish());
    assertEquals("x", decoder.accept(ids[2]), "a finished decoder begins anew");
  }

  @Test
  void streamsTheTextOfTheWholeInWholeCharacters() {
    for (TokenizerFiles.Case text : TokenizerFiles.cases("qwen3-cases.json")) {
      int[] ids = tokenizer.encode(text.text(), true);
      StreamingDecoder decoder = new StreamingDecoder(tokenizer);
      StringBuilder streamed = new StringBuilder();
      for (int id : ids) {
        String part = decoder.accept(id);
        assertFalse(part.contains("\ufffd"), () -> "half a character of " + text.text());
        part.codePoints().forEach(c -> assertFalse(c >= 0xd800 && c <= 0xdfff));
        streamed.append(part);
      }
      assertEquals("", decoder.finish());
      assertEquals(tokenizer.decode(ids), streamed.toString());
    }
  }

  @Test
  void streamsAnyBytesAsTheyDecodeTogether() {
    Random random = new Random(11);
    int[] leads = {0x41, 0x80, 0x9f, 0xa0, 0xbf, 0xc3, 0xe0, 0xe4, 0xed, 0xf0, 0xf4, 0xff};
    for (int round = 0; round < 3000; round++) {
      int[] bytes =
          random.ints(1 + random.nextInt(12), 0, leads.length).map(i -> leads[i]).toArray();
      int[] ids = TokenizerTest.byteIds(tokenizer, bytes);
      StreamingDecoder decoder = new StreamingDecoder(tokenizer);
      StringBuilder streamed = new StringBuilder();
      for (int id : ids) {
        streamed.append(decoder.accept(id));
      }
      streamed.append(decoder.finish());
      assertEquals(tokenizer.decode(ids), streamed.toString());
    }
  }

  @Test
  void namesAnIdOutsideTheVocabulary() {
    StreamingDecoder decoder = new StreamingDecoder(tokenizer);
    assertThrows(IllegalArgumentException.class, () -> decoder.accept(1 << 20));
  }
}
