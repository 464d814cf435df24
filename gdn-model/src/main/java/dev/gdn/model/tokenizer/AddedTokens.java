package dev.gdn.model.tokenizer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** Finds added tokens in text: the leftmost first and, of those that begin there, the longest. */
final class AddedTokens {
  private final Map<Character, List<AddedToken>> byFirst = new HashMap<>(); // longest first

  AddedTokens(List<AddedToken> tokens) {
    for (AddedToken token : tokens) {
      byFirst.computeIfAbsent(token.text().charAt(0), key -> new ArrayList<>()).add(token);
    }
    Comparator<AddedToken> byLength = Comparator.comparingInt(token -> token.text().length());
    byFirst.values().forEach(list -> list.sort(byLength.reversed()));
  }

  /** Hands over the tokens and the text around them, in order, no text empty. */
  void split(String text, Consumer<String> plain, IntConsumer ids) {
    int start = 0;
    int at = byFirst.isEmpty() ? text.length() : 0;
    while (at < text.length()) {
      AddedToken token = tokenAt(text, at);
      if (token == null) {
        at++;
        continue;
      }
      if (at > start) {
        plain.accept(text.substring(start, at));
      }
      ids.accept(token.id());
      at += token.text().length();
      start = at;
    }
    if (start < text.length()) {
      plain.accept(text.substring(start));
    }
  }

  private AddedToken tokenAt(String text, int at) {
    for (AddedToken token : byFirst.getOrDefault(text.charAt(at), List.of())) {
      if (text.startsWith(token.text(), at)) {
        return token;
      }
    }
    return null;
  }
}
