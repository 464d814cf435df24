package dev.gdn.fuzz;

import dev.gdn.model.chat.ContentPart;
import dev.gdn.model.chat.Message;
import dev.gdn.model.chat.ToolCall;
import dev.gdn.model.chat.ToolDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A conversation with every kind of message and a tool with every kind of parameter. */
final class Conversation {
  static final ToolDefinition WEATHER =
      new ToolDefinition(
          "weather",
          "The weather at a place",
          Map.of(
              "type",
              "object",
              "properties",
              Map.of(
                  "place", Map.of("type", "string"),
                  "days", Map.of("type", "integer"),
                  "height", Map.of("type", List.of("number", "null")),
                  "short", Map.of("type", "boolean"),
                  "names", Map.of("type", "array", "items", Map.of("type", "string")),
                  "more", Map.of("anyOf", List.of(Map.of("type", "object"), Map.of()))),
              "required",
              List.of("place")));

  static final List<Message> MESSAGES =
      List.of(
          Message.system("Be brief."),
          Message.user("What is the weather in Köln?"),
          new Message.Assistant(
              "",
              Optional.of("I have to ask."),
              List.of(new ToolCall("weather", Map.of("place", "Köln", "days", 1)))),
          Message.tool("{\"rain\": true}"),
          Message.assistant("It rains."),
          new Message.User(
              List.of(new ContentPart.Text("And "), new ContentPart.Text("tomorrow?"))));

  private Conversation() {}
}
