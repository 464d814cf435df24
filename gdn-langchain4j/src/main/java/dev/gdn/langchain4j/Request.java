package dev.gdn.langchain4j;

import dev.gdn.model.ChatSettings;
import dev.gdn.model.chat.Message;
import java.util.List;

/**
 * A request of the framework as a {@link dev.gdn.model.ChatSession} takes it. Immutable.
 *
 * @param messages at least one
 * @param settings how to answer
 */
record Request(List<Message> messages, ChatSettings settings) {
  Request {
    messages = List.copyOf(messages);
  }

  /** All messages but the last. */
  List<Message> history() {
    return messages.subList(0, messages.size() - 1);
  }
}
