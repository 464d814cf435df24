package dev.gdn.langchain4j;

import dev.langchain4j.model.chat.response.ChatModelStreamingEvent;
import dev.langchain4j.model.chat.response.CompleteResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialThinkingContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;

/**
 * Hands a reply to a handler, all on the thread that runs this. As the framework has it, an
 * exception of the handler goes to its {@code onError} and the reply goes on, and after it has
 * cancelled the reply it hears no more.
 */
final class HandlerFeed implements Runnable, StreamingHandle {
  private final Reply reply;
  private final StreamingChatResponseHandler handler;

  HandlerFeed(Reply reply, StreamingChatResponseHandler handler) {
    this.reply = reply;
    this.handler = handler;
  }

  @Override
  public void cancel() {
    reply.cancel();
  }

  @Override
  public boolean isCancelled() {
    return reply.isCancelled();
  }

  @Override
  public void run() {
    try {
      while (reply.hasNext()) {
        ChatModelStreamingEvent event = reply.next();
        if (!isCancelled()) {
          hand(event);
        }
      }
    } catch (Throwable failure) {
      report(failure);
      reply.cancel(); // where it was the handler that failed
    }
  }

  private void hand(ChatModelStreamingEvent event) {
    try {
      switch (event) {
        case PartialResponse more ->
            handler.onPartialResponse(more, new PartialResponseContext(this));
        case PartialThinking more ->
            handler.onPartialThinking(more, new PartialThinkingContext(this));
        case CompleteToolCall call -> handler.onCompleteToolCall(call);
        case CompleteResponse end -> handler.onCompleteResponse(end.chatResponse());
        default -> throw new AssertionError(event);
      }
    } catch (RuntimeException failure) {
      report(failure);
    }
  }

  private void report(Throwable failure) {
    if (isCancelled()) {
      return;
    }
    try {
      handler.onError(failure);
    } catch (RuntimeException ignored) {
      // There is nobody left to be told.
    }
  }
}
