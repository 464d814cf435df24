package dev.gdn.langchain4j;

import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import java.util.List;

/**
 * What chat models have in common. Thread-safe.
 *
 * @param modelName given in responses
 * @param mapper reads requests
 * @param conversations answer them
 * @param parameters defaults of requests
 * @param listeners told of requests
 */
record Answering(
    String modelName,
    RequestMapper mapper,
    Conversations conversations,
    ChatRequestParameters parameters,
    List<ChatModelListener> listeners) {
  /** A reply to a request that has been mapped. */
  Reply reply(Request request) {
    return new Reply(conversations, request, modelName);
  }

  /** A reply. */
  Reply reply(ChatRequest request) {
    return reply(mapper.map(request));
  }

  /** Runs what computes a reply, on a thread of its own. */
  static void run(Runnable task) {
    Thread.ofPlatform().name("gdn-reply").daemon().start(task);
  }
}
