package dev.gdn.langchain4j;

import dev.gdn.model.chat.Message;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The framework's messages as templates take them. The parts of a message become one text, a line
 * break between them. Templates do not know ids of calls: the results of several calls stand in the
 * order of the calls.
 */
final class MessageMapper {
  private MessageMapper() {}

  /**
   * A conversation.
   *
   * @throws UnsupportedFeatureException if it has something else than text, or names of users
   * @throws IllegalArgumentException if arguments of a call are no JSON object
   */
  static List<Message> map(List<ChatMessage> messages) {
    return inOrderOfCalls(messages).stream().map(MessageMapper::map).toList();
  }

  private static List<ChatMessage> inOrderOfCalls(List<ChatMessage> messages) {
    List<ChatMessage> ordered = new ArrayList<>();
    List<String> calls = List.of();
    for (int i = 0; i < messages.size(); ) {
      int end = i + 1;
      if (messages.get(i) instanceof AiMessage answer) {
        calls = answer.toolExecutionRequests().stream().map(ToolExecutionRequest::id).toList();
      }
      if (messages.get(i) instanceof ToolExecutionResultMessage) {
        while (end < messages.size() && messages.get(end) instanceof ToolExecutionResultMessage) {
          end++;
        }
      }
      List<ChatMessage> run = new ArrayList<>(messages.subList(i, end));
      List<String> ids = calls;
      if (run.size() > 1 && run.stream().allMatch(result -> ids.contains(id(result)))) {
        run.sort(Comparator.comparingInt(result -> ids.indexOf(id(result))));
      }
      ordered.addAll(run);
      i = end;
    }
    return ordered;
  }

  private static String id(ChatMessage result) {
    return Objects.requireNonNullElse(((ToolExecutionResultMessage) result).id(), "");
  }

  private static Message map(ChatMessage message) {
    return switch (message) {
      case SystemMessage system -> Message.system(system.text());
      case UserMessage user -> user(user);
      case AiMessage answer -> assistant(answer);
      case ToolExecutionResultMessage result ->
          new Message.Tool(text(result.contents()), Optional.ofNullable(result.toolName()));
      default ->
          throw new UnsupportedFeatureException(
              "messages of type %s are not supported".formatted(message.type()));
    };
  }

  private static Message user(UserMessage user) {
    if (user.name() != null) {
      throw new UnsupportedFeatureException(
          "name: names of users are not supported, found " + user.name());
    }
    return Message.user(text(user.contents()));
  }

  private static Message assistant(AiMessage answer) {
    if (!answer.images().isEmpty() || !answer.audios().isEmpty()) {
      throw new UnsupportedFeatureException(
          "content: images and audio of the model are not supported");
    }
    return new Message.Assistant(
        Objects.requireNonNullElse(answer.text(), ""),
        Optional.ofNullable(answer.thinking()),
        answer.toolExecutionRequests().stream().map(ToolMapper::call).toList());
  }

  private static String text(List<Content> contents) {
    return contents.stream().map(MessageMapper::text).collect(Collectors.joining("\n"));
  }

  private static String text(Content content) {
    if (content instanceof TextContent text) {
      return text.text();
    }
    throw new UnsupportedFeatureException(
        "content of type %s is not supported"
            .formatted(content.type().toString().toLowerCase(Locale.ROOT)));
  }
}
