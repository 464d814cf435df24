package dev.gdn.model.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.gdn.model.json.JsonProblem;
import java.util.List;
import java.util.Map;

/**
 * Checks messages as they stand in JSON for what no template can render: templates print a null or
 * a number for a text, and leave out what is not of the kind that they look for.
 */
final class MessageCheck {
  private static final String CONTENT = "content";
  private static final String CALLS = "tool_calls";

  private MessageCheck() {}

  /**
   * Checks the keys that all templates know; others are the template's own matter.
   *
   * @throws IllegalArgumentException if one holds something else; the message names the place
   */
  static void check(List<? extends Map<String, ?>> messages) {
    for (int i = 0; i < messages.size(); i++) {
      String place = "messages[%d].".formatted(i);
      Map<String, ?> message = messages.get(i);
      if (!(message.get("role") instanceof String role)) {
        throw mismatch(place + "role", "text", message.get("role"));
      }
      boolean calls = checkCalls(message.get(CALLS), place + CALLS);
      if (message.containsKey(CONTENT)) {
        checkContent(message.get(CONTENT), place + CONTENT, calls && role.equals("assistant"));
      }
    }
  }

  /**
   * @param mayBeNull as that of a message is which only calls tools
   */
  private static void checkContent(Object content, String place, boolean mayBeNull) {
    switch (content) {
      case String _ -> {}
      case List<?> parts -> {
        for (int i = 0; i < parts.size(); i++) {
          checkPart(parts.get(i), "%s[%d]".formatted(place, i));
        }
      }
      case null -> {
        if (!mayBeNull) {
          throw mismatch(place, "text or a list of parts", null);
        }
      }
      default -> throw mismatch(place, "text or a list of parts", content);
    }
  }

  private static void checkPart(Object part, String place) {
    if (!(part instanceof Map<?, ?> map)) {
      throw mismatch(place, "an object", part);
    }
    if (map.containsKey("text") && !(map.get("text") instanceof String)) {
      throw mismatch(place + ".text", "text", map.get("text"));
    }
  }

  /** Returns whether there are calls. */
  private static boolean checkCalls(Object value, String place) {
    if (value == null) {
      return false;
    }
    if (!(value instanceof List<?> calls)) {
      throw mismatch(place, "a list", value);
    }
    for (int i = 0; i < calls.size(); i++) {
      String call = "%s[%d]".formatted(place, i);
      if (!(calls.get(i) instanceof Map<?, ?> map)) {
        throw mismatch(call, "an object", calls.get(i));
      }
      if (map.get("function") instanceof Map<?, ?> function) {
        checkArguments(function, call + ".function.arguments");
      } else {
        checkArguments(map, call + ".arguments");
      }
    }
    return !calls.isEmpty();
  }

  // Some write them as JSON within a string, which some templates print and others refuse.
  private static void checkArguments(Map<?, ?> function, String place) {
    Object arguments = function.get("arguments");
    Object read = arguments;
    if (arguments instanceof String text) {
      try {
        read = ToolCallReader.JSON.readValue(text, Object.class);
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException(place + ": " + JsonProblem.describe(e), e);
      }
    }
    if (!(read instanceof Map<?, ?>) && function.containsKey("arguments")) {
      throw mismatch(place, "an object", arguments);
    }
  }

  private static IllegalArgumentException mismatch(String place, String expected, Object found) {
    return new IllegalArgumentException(
        "%s: expected %s, found %s".formatted(place, expected, JsonProblem.shown(found)));
  }
}
