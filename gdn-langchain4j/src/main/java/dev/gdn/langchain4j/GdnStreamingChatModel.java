package dev.gdn.langchain4j;

import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatModelStreamingEvent;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Flow;

/**
 * LangChain4j's streaming chat model: a {@link GdnChatModel} that hands over its replies as they
 * come, and takes and refuses the same. Thread-safe.
 *
 * <p>Pieces of thoughts and answers come as they are certain, tool calls whole, for their arguments
 * are typed by the whole call. Each reply is computed on a daemon thread of its own, on which the
 * handler or the subscriber is called. Requests that are refused throw at once; failures after that
 * go to {@code onError}.
 */
public final class GdnStreamingChatModel implements StreamingChatModel {
  private final Answering answering;

  private GdnStreamingChatModel(Answering answering) {
    this.answering = answering;
  }

  /** A builder with the library's defaults. */
  public static GdnModelBuilder<GdnStreamingChatModel> builder() {
    return new GdnModelBuilder<>(GdnStreamingChatModel::new);
  }

  /**
   * Streams to a handler. Cancelled by the handle that it is given with each piece, the reply ends
   * soon and the handler hears no more. An exception that the handler throws is given to its {@code
   * onError}, and the reply goes on.
   */
  @Override
  public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
    Answering.run(new HandlerFeed(answering.reply(request), handler));
  }

  /**
   * A publisher that answers anew for each subscriber, and computes no event before it is
   * requested. Cancelling a subscription ends its reply.
   */
  @Override
  public Flow.Publisher<ChatModelStreamingEvent> doChat(ChatRequest request) {
    Request mapped = answering.mapper().map(request);
    return subscriber -> answering.reply(mapped).publisher().subscribe(subscriber);
  }

  @Override
  public ChatRequestParameters defaultRequestParameters() {
    return answering.parameters();
  }

  @Override
  public List<ChatModelListener> listeners() {
    return answering.listeners();
  }

  @Override
  public Set<Capability> supportedCapabilities() {
    return Set.of(Capability.RESPONSE_FORMAT_JSON_SCHEMA);
  }
}
