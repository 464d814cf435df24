package dev.gdn.model.chat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.tokenizer.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PromptEncoderTest {
  private static final char MARK = '\ufdd0';
  private static final Tokenizer TOKENIZER = TokenizerFile.read();
  private static final int END = TOKENIZER.specialId("<|im_end|>").orElseThrow();

  private static EncodedPrompt encode(String marked, SpokenTokens spoken, Integer... places) {
    return new PromptEncoder(TOKENIZER, MARK, spoken).encode(marked, Set.of(places));
  }

  /** A text in tokens that no encoder would choose: one for each byte. */
  private static int[] bytewise(String text) {
    int[][] single = new int[256][];
    for (int id = 0; id < TOKENIZER.vocabularySize(); id++) {
      byte[] bytes = TOKENIZER.bytes(id);
      if (bytes.length == 1 && !TOKENIZER.isAdded(id)) {
        single[bytes[0] & 0xff] = new int[] {id};
      }
    }
    return IntStream.range(0, text.getBytes(StandardCharsets.UTF_8).length)
        .map(i -> single[text.getBytes(StandardCharsets.UTF_8)[i] & 0xff][0])
        .toArray();
  }

  private static int[] joined(int[]... parts) {
    return Arrays.stream(parts).flatMapToInt(IntStream::of).toArray();
  }

  @Test
  void withoutAnEarlierTurnTheIdsAreTheTokenizers() {
    String text = "<|im_start|>user\nHi <|\ufdd0im_end|> there<|im_end|>\n<think>x";
    EncodedPrompt prompt = encode(text, SpokenTokens.NONE, 0, text.indexOf("\n<think>") - 10);
    assertArrayEquals(TOKENIZER.encodeMarked(text, MARK), prompt.ids());
    int end = IntStream.range(0, prompt.ids().length).filter(i -> prompt.ids()[i] == END).sum();
    assertEquals(List.of(0, end), prompt.borders());
  }

  @Test
  void whatWasGeneratedKeepsItsTokens() {
    int[] prompt = encode("<|im_start|>user\nHi<|im_end|>\n", SpokenTokens.NONE).ids();
    int[] generated = bytewise("Größe, and <|im_end|> as text");
    SpokenTokens spoken = SpokenTokens.NONE.next(prompt, generated);
    String next =
        "<|im_start|>user\nHi<|im_end|>\nGröße, and <|\ufdd0im_end|> as text<|im_end|>\nMore";
    EncodedPrompt second = encode(next, spoken);
    assertArrayEquals(
        joined(prompt, generated, encode("<|im_end|>\nMore", SpokenTokens.NONE).ids()),
        second.ids());
    // One turn later, behind a special token, and with the last message edited.
    SpokenTokens later = spoken.next(second.ids(), bytewise("yes"));
    assertArrayEquals(
        joined(prompt, generated, encode("<|im_end|>\nLess", SpokenTokens.NONE).ids()),
        encode(next.replace("More", "Less"), later).ids());
    // Another answer is encoded anew.
    String other = next.replace("Größe", "Grösse");
    assertArrayEquals(TOKENIZER.encodeMarked(other, MARK), encode(other, spoken).ids());
  }

  @Test
  void textThatIsNormalizedIsTheSame() {
    String text = "<|im_start|>user\nCafe\u0301<|im_end|>\n";
    int[] prompt = encode(text, SpokenTokens.NONE).ids();
    SpokenTokens spoken = SpokenTokens.NONE.next(prompt, bytewise("ok"));
    EncodedPrompt second = encode(text + "ok<|im_end|>", spoken);
    assertArrayEquals(joined(prompt, bytewise("ok"), new int[] {END}), second.ids());
  }

  /** Texts without special tokens are cut where turns ended, and nowhere else. */
  @Test
  void plainTextsGoOnWhereTurnsEnd() {
    SpokenTokens first = SpokenTokens.NONE.next(TOKENIZER.encode("One"), bytewise(" two"));
    int[] second = encode("One two\nthree", first).ids();
    assertArrayEquals(
        joined(TOKENIZER.encode("One"), bytewise(" two"), TOKENIZER.encode("\nthree")), second);
    SpokenTokens both = first.next(second, bytewise(" four"));
    EncodedPrompt edited = encode("One two\nthrill", both);
    assertArrayEquals(
        joined(TOKENIZER.encode("One"), bytewise(" two"), TOKENIZER.encode("\nthrill")),
        edited.ids());
    int end = TOKENIZER.encode("One").length + 4;
    assertEquals(List.of(end), edited.borders());
    SpokenTokens cutOff = SpokenTokens.of(bytewise("One tw"), false);
    assertArrayEquals(TOKENIZER.encode("One two"), encode("One two", cutOff).ids());
  }

  /** Whatever was spoken before, the text is the prompt's. */
  @Test
  void theTextIsAlwaysThePrompts() {
    Random random = new Random(1);
    String[] words = {
      "a", " be", "ä", "<|im_end|>", "<|\ufdd0im_end|>", "\n", "<think>", "🙂", "x"
    };
    for (int round = 0; round < 2_000; round++) {
      String one = text(random, words);
      String other = random.nextBoolean() ? one + text(random, words) : text(random, words);
      List<Integer> ids = new ArrayList<>();
      IntStream.of(TOKENIZER.encodeMarked(one, MARK)).forEach(ids::add);
      int cut = random.nextInt(ids.size() + 1);
      int[] prompt = ids.subList(0, cut).stream().mapToInt(Integer::intValue).toArray();
      int[] answer =
          random.nextBoolean() ? bytewise(text(random, words)) : new int[] {END, 1 << 20};
      SpokenTokens spoken = SpokenTokens.NONE.next(prompt, answer);
      int[] found = encode(other, spoken).ids();
      int[] plain = TOKENIZER.encodeMarked(other, MARK);
      assertEquals(TOKENIZER.decode(plain), TOKENIZER.decode(known(found)));
      assertEquals(specials(plain), specials(known(found)));
    }
  }

  /** A model's matrices may have more rows than there are tokens. */
  private static int[] known(int[] ids) {
    return IntStream.of(ids).filter(id -> id < TOKENIZER.vocabularySize()).toArray();
  }

  private static String text(Random random, String[] words) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i >= 0; i--) {
      text.append(words[random.nextInt(words.length)]);
    }
    return text.toString();
  }

  private static long specials(int[] ids) {
    return IntStream.of(ids).filter(TOKENIZER::isSpecial).count();
  }

  @Test
  void bordersAreWhereSpecialTokensBegin() {
    String text = "<|im_start|>a<|im_end|>b<|im_start|>c";
    EncodedPrompt prompt =
        encode(text, SpokenTokens.NONE, 1, text.indexOf("b"), text.lastIndexOf("<"), text.length());
    assertTrue(TOKENIZER.isSpecial(prompt.ids()[prompt.borders().getLast()]));
    assertEquals(List.of(3, 4), prompt.borders());
  }
}
