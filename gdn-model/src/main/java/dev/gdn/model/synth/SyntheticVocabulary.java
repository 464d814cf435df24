package dev.gdn.model.synth;

import java.util.ArrayList;
import java.util.List;

/**
 * A made-up vocabulary of any size: the 256 bytes, then words of two, three and four letters with
 * the merges that make them, and the special tokens of a chat model last.
 *
 * @param tokens by id, spelt in the byte alphabet of GPT-2
 * @param merges two tokens with a space between them, in order of rank
 * @param special how many tokens at the end are special
 */
record SyntheticVocabulary(List<String> tokens, List<String> merges, int special) {
  private static final List<String> SPECIAL =
      List.of("<|endoftext|>", "<|im_start|>", "<|im_end|>");

  private static final int LETTERS = 26;
  private static final int BYTES = 256;

  /** As many words as there are with up to four letters. */
  private static final int LARGEST =
      BYTES
          + SPECIAL.size()
          + LETTERS * LETTERS
          + LETTERS * LETTERS * LETTERS
          + LETTERS * LETTERS * LETTERS * LETTERS;

  static SyntheticVocabulary of(int size) {
    int smallest = BYTES + SPECIAL.size();
    if (size < smallest || size > LARGEST) {
      throw new IllegalArgumentException(
          "vocabulary: expected %d to %d tokens, found %d".formatted(smallest, LARGEST, size));
    }
    List<String> tokens = new ArrayList<>(size);
    for (int value = 0; value < BYTES; value++) {
      tokens.add(spell(value));
    }
    List<String> letters = new ArrayList<>();
    for (char letter = 'a'; letter <= 'z'; letter++) {
      letters.add(String.valueOf(letter));
    }
    List<String> merges = new ArrayList<>();
    int words = size - smallest;
    List<String> pairs = combine(letters, letters, words, tokens, merges);
    combine(pairs, letters, words - merges.size(), tokens, merges);
    combine(pairs, pairs, words - merges.size(), tokens, merges);
    tokens.addAll(SPECIAL);
    return new SyntheticVocabulary(tokens, merges, SPECIAL.size());
  }

  private static List<String> combine(
      List<String> lefts, List<String> rights, int most, List<String> tokens, List<String> merges) {
    List<String> made = new ArrayList<>();
    for (String left : lefts) {
      for (String right : rights) {
        if (made.size() == most) {
          return made;
        }
        made.add(left + right);
        tokens.add(left + right);
        merges.add(left + " " + right);
      }
    }
    return made;
  }

  /** The character that stands for a byte: GPT-2's bytes_to_unicode. */
  private static String spell(int value) {
    int spelt = value;
    if (value <= ' ') {
      spelt = 0x100 + value;
    } else if (value >= 0x7F && value <= 0xA0) {
      spelt = 0x121 + value - 0x7F;
    } else if (value == 0xAD) {
      spelt = 0x143;
    }
    return String.valueOf((char) spelt);
  }

  /** The id of the first special token, which ends a text. */
  int endOfText() {
    return tokens.size() - special;
  }
}
