package dev.gdn.model;

import dev.gdn.model.tokenizer.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/**
 * Follows whether generated tokens belong to a thought, and counts them. A thought begins at the
 * end of the prompt or with the first token that is not white space, by {@code <think>}, and ends
 * with {@code </think>}; a tokenizer without these two tokens knows no thoughts.
 */
final class ThoughtTracker {
  private static final String BEGIN = "<think>";
  private static final String END = "</think>";

  private enum Place {
    BEFORE,
    WITHIN,
    BEHIND
  }

  private final Tokenizer tokenizer;
  private final OptionalInt begin;
  private final OptionalInt end;
  private Place place;
  private int tokens;

  ThoughtTracker(Tokenizer tokenizer, int[] prompt) {
    this.tokenizer = tokenizer;
    begin = tokenizer.specialId(BEGIN);
    end = tokenizer.specialId(END);
    if (begin.isEmpty() || end.isEmpty()) {
      place = Place.BEHIND;
      return;
    }
    int last = prompt.length - 1;
    while (last >= 0 && isBlank(prompt[last])) {
      last--;
    }
    place = last >= 0 && prompt[last] == begin.getAsInt() ? Place.WITHIN : Place.BEFORE;
  }

  /** The token that ends a thought, if there is one. */
  OptionalInt end() {
    return end;
  }

  /** Whether the next token belongs to a thought. */
  boolean isWithin() {
    return place == Place.WITHIN;
  }

  /** Tokens of the thought so far. */
  int tokens() {
    return tokens;
  }

  /** Takes a generated token. */
  void accept(int id) {
    if (place == Place.BEFORE && !isBlank(id)) {
      place = id == begin.getAsInt() ? Place.WITHIN : Place.BEHIND;
    }
    if (place == Place.WITHIN) {
      tokens++;
      if (id == end.getAsInt()) {
        place = Place.BEHIND;
      }
    }
  }

  private boolean isBlank(int id) {
    return id < tokenizer.vocabularySize()
        && new String(tokenizer.bytes(id), StandardCharsets.UTF_8).isBlank();
  }
}
