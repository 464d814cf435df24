package dev.gdn.langchain4j;

import dev.gdn.model.LanguageModel;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * LangChain4j's chat model over a {@link LanguageModel}. Thread-safe: requests of several threads
 * are answered side by side, each by a session of its own.
 *
 * <p>A request brings its whole conversation, and is read from where that was read before. Tools
 * are shown and calls read as the checkpoint's template and its family have them; a thought before
 * the answer is {@link dev.langchain4j.data.message.AiMessage#thinking()}. A response format of
 * JSON holds for certain, unless the reply is cut off. A call that is malformed or cut off is part
 * of the text.
 *
 * <p>What cannot be done is refused by {@link UnsupportedFeatureException}: content that is not
 * text, names of users, other models' names, tool choice REQUIRED, strict tools, tools together
 * with a JSON response format, and schemas that {@link dev.gdn.model.schema.JsonSchemaConstraint}
 * does not support. Values out of range are refused by {@link IllegalArgumentException}; by {@link
 * InvalidRequestException} conversations that do not fit the context or that the template does not
 * take.
 */
public final class GdnChatModel implements ChatModel {
  private final Answering answering;

  private GdnChatModel(Answering answering) {
    this.answering = answering;
  }

  /** A builder with the library's defaults. */
  public static GdnModelBuilder<GdnChatModel> builder() {
    return new GdnModelBuilder<>(GdnChatModel::new);
  }

  /**
   * Answers on the calling thread.
   *
   * @throws CancellationException if the thread is interrupted; it stays so
   * @throws IllegalStateException if the model is closed
   */
  @Override
  public ChatResponse doChat(ChatRequest request) {
    return answering.reply(request).await();
  }

  /** Answers on a thread of its own. Cancelling the future ends that soon. */
  @Override
  public CompletableFuture<ChatResponse> doChatAsync(ChatRequest request) {
    Reply reply = answering.reply(request);
    CompletableFuture<ChatResponse> response = new CompletableFuture<>();
    response.whenComplete(
        (done, failure) -> {
          if (response.isCancelled()) {
            reply.cancel();
          }
        });
    Answering.run(
        () -> {
          try {
            response.complete(reply.await());
          } catch (Throwable failure) {
            response.completeExceptionally(failure);
          }
        });
    return response;
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
