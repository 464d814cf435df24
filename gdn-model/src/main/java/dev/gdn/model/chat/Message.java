package dev.gdn.model.chat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A message of a conversation. */
public sealed interface Message {
  /** As templates take it: an object with its role. */
  Map<String, Object> toJson();

  /** Instructions for the whole conversation. */
  record System(List<ContentPart> content) implements Message {
    public System {
      content = List.copyOf(content);
    }

    @Override
    public Map<String, Object> toJson() {
      return json("system", content);
    }
  }

  /** What the user says. */
  record User(List<ContentPart> content) implements Message {
    public User {
      content = List.copyOf(content);
    }

    @Override
    public Map<String, Object> toJson() {
      return json("user", content);
    }
  }

  /**
   * What the model said.
   *
   * @param content its answer, which may be empty
   * @param reasoning what it thought before, if that is known
   * @param toolCalls the tools it called, in order
   */
  record Assistant(String content, Optional<String> reasoning, List<ToolCall> toolCalls)
      implements Message {
    public Assistant {
      Objects.requireNonNull(content, "content");
      Objects.requireNonNull(reasoning, "reasoning");
      toolCalls = List.copyOf(toolCalls);
    }

    @Override
    public Map<String, Object> toJson() {
      Map<String, Object> message = json("assistant", text(content));
      reasoning.ifPresent(thought -> message.put("reasoning_content", thought));
      if (!toolCalls.isEmpty()) {
        message.put("tool_calls", toolCalls.stream().map(ToolCall::toJson).toList());
      }
      return message;
    }
  }

  /**
   * What a tool gave.
   *
   * @param content its result
   * @param name the tool's name, which some templates show
   */
  record Tool(String content, Optional<String> name) implements Message {
    public Tool {
      Objects.requireNonNull(content, "content");
      Objects.requireNonNull(name, "name");
    }

    @Override
    public Map<String, Object> toJson() {
      Map<String, Object> message = json("tool", text(content));
      name.ifPresent(tool -> message.put("name", tool));
      return message;
    }
  }

  /** Instructions of one part. */
  static System system(String text) {
    return new System(text(text));
  }

  /** A user's message of one part. */
  static User user(String text) {
    return new User(text(text));
  }

  /** An answer without a thought and without calls. */
  static Assistant assistant(String text) {
    return new Assistant(text, Optional.empty(), List.of());
  }

  /** The result of a tool. */
  static Tool tool(String result) {
    return new Tool(result, Optional.empty());
  }

  private static List<ContentPart> text(String text) {
    return List.of(new ContentPart.Text(text));
  }

  /** One part is a string, since older templates know no other content. */
  private static Map<String, Object> json(String role, List<ContentPart> content) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("role", role);
    message.put(
        "content",
        content.size() == 1 && content.getFirst() instanceof ContentPart.Text text
            ? text.text()
            : content.stream().map(ContentPart::toJson).toList());
    return message;
  }
}
