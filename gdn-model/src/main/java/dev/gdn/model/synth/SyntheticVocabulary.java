package dev.gdn.model.synth;

import dev.gdn.model.tokenizer.AddedToken;
import dev.gdn.model.tokenizer.BpeVocabulary;
import dev.gdn.model.tokenizer.Merge;
import dev.gdn.model.tokenizer.SplitPatterns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes up a vocabulary of any size: the 256 bytes, then words of two, three and four letters with
 * the merges that make them, and the added tokens of a chat model last.
 */
final class SyntheticVocabulary {
  private static final List<String> SPECIAL =
      List.of("<|endoftext|>", "<|im_start|>", "<|im_end|>");

  /** Marks of a thought, which are part of what a model says. */
  private static final List<String> THOUGHT = List.of("<think>", "</think>");

  private static final int LETTERS = 26;
  private static final int BYTES = 256;

  /** As many words as there are with up to four letters. */
  private static final int LARGEST =
      BYTES
          + SPECIAL.size()
          + THOUGHT.size()
          + LETTERS * LETTERS
          + LETTERS * LETTERS * LETTERS
          + LETTERS * LETTERS * LETTERS * LETTERS;

  private final Map<String, Integer> tokens = new HashMap<>();
  private final List<Merge> merges = new ArrayList<>();
  private final int words;

  private SyntheticVocabulary(int words) {
    this.words = words;
  }

  /**
   * A vocabulary of {@code size} tokens, of which the first special one ends a text.
   *
   * @throws IllegalArgumentException if there are too few or too many
   */
  static BpeVocabulary of(int size) {
    int smallest = BYTES + SPECIAL.size() + THOUGHT.size();
    if (size < smallest || size > LARGEST) {
      throw new IllegalArgumentException(
          "vocabulary: expected %d to %d tokens, found %d".formatted(smallest, LARGEST, size));
    }
    SyntheticVocabulary vocabulary = new SyntheticVocabulary(size - smallest);
    vocabulary.addWords();
    List<AddedToken> added = new ArrayList<>();
    for (String token : THOUGHT) {
      added.add(new AddedToken(vocabulary.tokens.size() + added.size(), token, false, false));
    }
    for (String token : SPECIAL) {
      added.add(new AddedToken(vocabulary.tokens.size() + added.size(), token, true, false));
    }
    return new BpeVocabulary(
        vocabulary.tokens, vocabulary.merges, added, SplitPatterns.QWEN3_5, true, false);
  }

  private void addWords() {
    for (int value = 0; value < BYTES; value++) {
      add(spell(value));
    }
    List<String> letters = new ArrayList<>();
    for (char letter = 'a'; letter <= 'z'; letter++) {
      letters.add(String.valueOf(letter));
    }
    List<String> pairs = combine(letters, letters);
    combine(pairs, letters);
    combine(pairs, pairs);
  }

  private List<String> combine(List<String> lefts, List<String> rights) {
    List<String> made = new ArrayList<>();
    for (String left : lefts) {
      for (String right : rights) {
        if (merges.size() == words) {
          return made;
        }
        made.add(left + right);
        add(left + right);
        merges.add(new Merge(left, right));
      }
    }
    return made;
  }

  private void add(String token) {
    tokens.put(token, tokens.size());
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
}
