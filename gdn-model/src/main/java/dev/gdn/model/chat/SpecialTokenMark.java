package dev.gdn.model.chat;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Marks the special tokens that a conversation spells out, before a template puts its own around
 * them: a character that no text has stands behind the first of each.
 *
 * @param tokens how the special tokens are spelt
 * @param character the mark
 */
record SpecialTokenMark(Set<String> tokens, char character) {
  // Noncharacters: Unicode keeps them for use within a program.
  private static final char FIRST = '\ufdd0';
  private static final char LAST = '\ufdef';

  /** Levels of nesting, as many as a template takes. */
  private static final int DEPTH = 200;

  /**
   * A mark that does not stand in a conversation.
   *
   * @throws IllegalArgumentException if all that could be marks do, or it is nested too deeply
   */
  static SpecialTokenMark of(Set<String> tokens, Object conversation) {
    for (char mark = FIRST; mark <= LAST; mark++) {
      if (!contains(conversation, mark, 0)) {
        return new SpecialTokenMark(tokens, mark);
      }
    }
    throw new IllegalArgumentException(
        "messages: expected text, found every one of the noncharacters U+FDD0 to U+FDEF");
  }

  private static boolean contains(Object value, char character, int depth) {
    if (depth > DEPTH) {
      throw new IllegalArgumentException(
          "messages: expected at most %d levels of nesting".formatted(DEPTH));
    }
    return switch (value) {
      case String text -> text.indexOf(character) >= 0;
      case Collection<?> items -> anyContains(items, character, depth + 1);
      case Map<?, ?> map ->
          anyContains(map.keySet(), character, depth + 1)
              || anyContains(map.values(), character, depth + 1);
      case null, default -> false;
    };
  }

  private static boolean anyContains(Collection<?> items, char character, int depth) {
    for (Object item : items) {
      if (contains(item, character, depth)) {
        return true;
      }
    }
    return false;
  }

  /** Objects whose texts have their special tokens marked. */
  @SuppressWarnings("unchecked") // what is marked keeps its type
  List<Map<String, Object>> marked(List<Map<String, Object>> objects) {
    return objects.stream().map(object -> (Map<String, Object>) marked((Object) object)).toList();
  }

  private Object marked(Object value) {
    return switch (value) {
      case String text -> marked(text);
      case List<?> items -> items.stream().map(this::marked).toList();
      case Map<?, ?> map -> {
        Map<Object, Object> marked = new LinkedHashMap<>();
        map.forEach((key, item) -> marked.put(marked(key), marked(item)));
        yield marked;
      }
      case null -> null;
      default -> value;
    };
  }

  /** A text whose special tokens are marked. */
  String marked(String text) {
    String marked = text;
    for (String token : tokens) {
      if (marked.contains(token)) {
        int second = token.offsetByCodePoints(0, 1);
        marked =
            marked.replace(token, token.substring(0, second) + character + token.substring(second));
      }
    }
    return marked;
  }
}
