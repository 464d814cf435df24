package dev.gdn.model.chat;

import dev.gdn.model.tokenizer.TextPart;
import dev.gdn.model.tokenizer.Tokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Encodes a prompt so that it begins with the tokens of a conversation, as far as these have its
 * text. Both are compared from special token to special token. Used once.
 */
final class PromptEncoder {
  private final Tokenizer tokenizer;
  private final char mark;
  private final int[] spoken;
  private final List<Integer> turns;
  private final List<int[]> pieces = new ArrayList<>();
  private final Set<Integer> borders = new TreeSet<>();
  private int length; // of the pieces
  private boolean agrees = true; // the pieces are the first spoken tokens

  PromptEncoder(Tokenizer tokenizer, char mark, SpokenTokens spoken) {
    this.tokenizer = tokenizer;
    this.mark = mark;
    this.spoken = spoken.ids();
    this.turns = spoken.turns();
  }

  /**
   * Encodes a text.
   *
   * @param places in the text where messages begin or end
   */
  EncodedPrompt encode(String marked, Set<Integer> places) {
    int place = 0;
    for (TextPart part : tokenizer.cutAtSpecialTokens(marked)) {
      if (places.contains(place)) {
        borders.add(length);
      }
      if (part.special().isPresent()) {
        int id = part.special().getAsInt();
        agrees = agrees && length < spoken.length && spoken[length] == id;
        add(id);
      } else {
        encode(part.text());
      }
      place += part.text().length();
    }
    return new EncodedPrompt(
        pieces.stream().flatMapToInt(IntStream::of).toArray(), List.copyOf(borders));
  }

  private void add(int... ids) {
    pieces.add(ids);
    length += ids.length;
  }

  /** A text without special tokens. */
  private void encode(String marked) {
    int from = length;
    int end = agrees ? endOfText(from) : from;
    String text = marked.replace(String.valueOf(mark), "");
    // Text that a normaliser changes is other text when it is decoded.
    if (end > from && end < spoken.length && textOf(from, end).equals(text)) {
      add(Arrays.copyOfRange(spoken, from, end));
      return;
    }
    int turn = agrees ? lastTurn(text, from, end) : from;
    agrees = agrees && turn == from;
    if (turn > from) {
      add(Arrays.copyOfRange(spoken, from, turn));
      borders.add(turn);
      marked = behind(marked, textOf(from, turn).length());
    }
    int[] ids = tokenizer.encodeMarked(marked, mark);
    agrees = agrees && end < spoken.length && Arrays.equals(ids, 0, ids.length, spoken, from, end);
    add(ids);
  }

  /** The place of the next special token that was spoken, or the end. */
  private int endOfText(int from) {
    int end = from;
    while (end < spoken.length && !isSpecial(spoken[end])) {
      end++;
    }
    return end;
  }

  /** The last place where a turn ends, up to which the text is that of the tokens. */
  private int lastTurn(String text, int from, int end) {
    for (int turn : turns.reversed()) {
      if (turn > from && turn <= end && text.startsWith(textOf(from, turn))) {
        return turn;
      }
    }
    return from;
  }

  // A model's matrices may be filled up with ids that no token has: those have no text.
  private String textOf(int from, int to) {
    return tokenizer.decode(
        IntStream.range(from, to).map(i -> spoken[i]).filter(this::isKnown).toArray());
  }

  private boolean isKnown(int id) {
    return id < tokenizer.vocabularySize();
  }

  private boolean isSpecial(int id) {
    return isKnown(id) && tokenizer.isSpecial(id);
  }

  /** What follows so many characters, marks not counted. */
  private String behind(String marked, int characters) {
    int at = 0;
    for (int left = characters; left > 0; at++) {
      left -= marked.charAt(at) == mark ? 0 : 1;
    }
    return marked.substring(at);
  }
}
