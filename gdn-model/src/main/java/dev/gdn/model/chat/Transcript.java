package dev.gdn.model.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.gdn.model.file.BoundedText;
import dev.gdn.model.file.FileReplacement;
import dev.gdn.model.json.JsonProblem;
import dev.gdn.model.json.JsonValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Messages in a file: a JSON list of objects with {@code role} and {@code content}, as chat
 * templates take them.
 */
public final class Transcript {
  /**
   * The largest file of messages, 16 MiB: several times the text of the longest conversation that a
   * model holds, and little enough for what JSON becomes in memory.
   */
  public static final int MOST_BYTES = 16 << 20;

  private Transcript() {}

  /**
   * Writes messages. A file that is there is replaced, and never half written.
   *
   * @throws IOException if the file cannot be written
   * @throws IllegalArgumentException if an argument of a call is nothing that JSON has, or if there
   *     is more than can be read again
   */
  public static void write(Path file, List<? extends Message> messages) throws IOException {
    List<Map<String, Object>> objects = messages.stream().map(Message::toJson).toList();
    byte[] bytes;
    try {
      bytes = ToolCallReader.JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(objects);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("messages: " + e.getOriginalMessage(), e);
    }
    if (bytes.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "messages: expected at most %d bytes, found %d".formatted(MOST_BYTES, bytes.length));
    }
    FileReplacement.write(file, channel -> writeAll(channel, ByteBuffer.wrap(bytes)));
  }

  private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /**
   * Reads messages.
   *
   * @throws IOException if the file cannot be read, is no regular file or has more than {@link
   *     #MOST_BYTES}
   * @throws IllegalArgumentException if it holds something else; the message names the file and the
   *     place
   */
  public static List<Message> read(Path file) throws IOException {
    List<Message> messages = new ArrayList<>();
    for (Map<String, Object> object : objects(text(file), file)) {
      try {
        messages.add(message(object, "entry %d".formatted(messages.size())));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
      }
    }
    return messages;
  }

  private static String text(Path file) throws IOException {
    try {
      return BoundedText.read(file, MOST_BYTES);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(file + ": " + BoundedText.problem(e), e);
    }
  }

  /**
   * Reads messages or tools with whatever a template knows of, for {@link ChatTemplate#renderJson}.
   *
   * @param json the content of a file
   * @param file its name, for messages
   * @throws IllegalArgumentException if it is no JSON list of objects, or a text in it is no
   *     Unicode or a number too large; the message names the file and the place
   */
  public static List<Map<String, Object>> objects(String json, Path file) {
    Object found;
    try {
      found = ToolCallReader.JSON.readValue(json, Object.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(file + ": " + JsonProblem.describe(e), e);
    }
    if (!(found instanceof List<?> list)) {
      throw new IllegalArgumentException(
          "%s: expected a list of objects, found %s".formatted(file, JsonProblem.shown(found)));
    }
    List<Map<String, Object>> objects = new ArrayList<>();
    for (Object entry : list) {
      if (!(entry instanceof Map<?, ?> object)) {
        throw new IllegalArgumentException(
            "%s: entry %d: expected an object, found %s"
                .formatted(file, objects.size(), JsonProblem.shown(entry)));
      }
      @SuppressWarnings("unchecked") // keys of JSON objects are text
      Map<String, Object> typed = (Map<String, Object>) object;
      try {
        JsonValues.require("entry " + objects.size(), typed);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
      }
      objects.add(typed);
    }
    return objects;
  }

  private static Message message(Map<String, Object> object, String place) {
    String role = text(object, "role", place);
    return switch (role) {
      case "system" -> new Message.System(content(object, place));
      case "user" -> new Message.User(content(object, place));
      case "assistant" ->
          new Message.Assistant(
              text(object, "content", place),
              optionalText(object, "reasoning_content", place),
              calls(object.get("tool_calls"), place));
      case "tool" ->
          new Message.Tool(text(object, "content", place), optionalText(object, "name", place));
      default ->
          throw new IllegalArgumentException(
              place
                  + ": role: expected system, user, assistant or tool, found "
                  + JsonProblem.shown(role));
    };
  }

  private static String text(Map<?, ?> object, String key, String place) {
    return optionalText(object, key, place)
        .orElseThrow(
            () -> new IllegalArgumentException(place + ": " + key + ": expected text, found none"));
  }

  private static Optional<String> optionalText(Map<?, ?> object, String key, String place) {
    Object value = object.get(key);
    if (value != null && !(value instanceof String)) {
      throw new IllegalArgumentException(
          place + ": " + key + ": expected text, found " + JsonProblem.shown(value));
    }
    return Optional.ofNullable((String) value);
  }

  private static List<ContentPart> content(Map<String, Object> object, String place) {
    if (!(object.get("content") instanceof List<?> parts)) {
      return List.of(new ContentPart.Text(text(object, "content", place)));
    }
    List<ContentPart> content = new ArrayList<>();
    for (Object part : parts) {
      if (!(part instanceof Map<?, ?> map) || !"text".equals(map.get("type"))) {
        throw new IllegalArgumentException(
            place + ": content: expected parts of type text, found " + JsonProblem.shown(part));
      }
      content.add(new ContentPart.Text(text(map, "text", place)));
    }
    return content;
  }

  private static List<ToolCall> calls(Object value, String place) {
    List<ToolCall> calls = new ArrayList<>();
    if (value != null && !(value instanceof List<?>)) {
      throw new IllegalArgumentException(
          place + ": tool_calls: expected a list, found " + JsonProblem.shown(value));
    }
    for (Object call : value == null ? List.of() : (List<?>) value) {
      if (!(call instanceof Map<?, ?> map)
          || !(map.get("function") instanceof Map<?, ?> function)
          || !(function.get("arguments") instanceof Map<?, ?> arguments)) {
        throw new IllegalArgumentException(
            place
                + ": tool_calls: expected functions with arguments, found "
                + JsonProblem.shown(call));
      }
      @SuppressWarnings("unchecked") // keys of JSON objects are text
      Map<String, Object> typed = (Map<String, Object>) arguments;
      calls.add(new ToolCall(text(function, "name", place), typed));
    }
    return calls;
  }
}
