package dev.gdn.langchain4j;

import dev.gdn.model.ChatReply;
import dev.gdn.model.ChatTurn;
import dev.gdn.model.EventIterator;
import dev.gdn.model.chat.OutputEvent;
import dev.gdn.model.error.ContextFullException;
import dev.gdn.model.error.TemplateException;
import dev.gdn.model.generation.FinishReason;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.model.chat.response.ChatModelStreamingEvent;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialThinking;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * The answer to one request while it comes, as the framework's events: pieces of the thought and of
 * the answer, tool calls as soon as they are whole, and the response at the end. Nothing is
 * computed before the first event is asked for. Cancelled, it fails with {@link
 * CancellationException}; so does one whose thread is interrupted, which then stays interrupted.
 */
final class Reply implements EventIterator<ChatModelStreamingEvent> {
  private final Conversations conversations;
  private final Request request;
  private final ResponseBuilder response;
  private Optional<Conversations.Started> started = Optional.empty();
  private volatile ChatTurn turn;
  private volatile boolean cancelled;
  private boolean ended;

  Reply(Conversations conversations, Request request, String modelName) {
    this.conversations = conversations;
    this.request = request;
    this.response = new ResponseBuilder(modelName);
  }

  @Override
  public void cancel() {
    cancelled = true;
    ChatTurn running = turn;
    if (running != null) {
      running.cancel();
    }
  }

  /** Whether {@link #cancel()} was called. */
  boolean isCancelled() {
    return cancelled;
  }

  @Override
  public boolean hasEnded() {
    return ended;
  }

  @Override
  public boolean hasNext() {
    return !ended;
  }

  /**
   * Computes the next event.
   *
   * @throws InvalidRequestException if the template refuses the conversation, or it does not fit
   *     the context
   * @throws CancellationException if it is cancelled, or the thread interrupted
   */
  @Override
  public ChatModelStreamingEvent next() {
    if (ended) {
      throw new NoSuchElementException("the reply has ended");
    }
    ended = true; // unless the step succeeds
    ChatModelStreamingEvent event;
    try {
      event = step();
    } catch (ContextFullException | TemplateException e) {
      throw new InvalidRequestException(e.getMessage(), e);
    }
    ended = event instanceof CompleteResponse;
    return event;
  }

  /** Takes all events; returns the response. */
  ChatResponse await() {
    while (true) {
      if (next() instanceof CompleteResponse end) {
        return end.chatResponse();
      }
    }
  }

  private ChatModelStreamingEvent step() {
    if (started.isEmpty()) {
      started = Optional.of(conversations.start(request));
      turn = started.get().turn();
      if (cancelled) {
        turn.cancel();
      }
    }
    return turn.hasNext() ? event(turn.next()) : end(started.get());
  }

  private ChatModelStreamingEvent event(OutputEvent event) {
    return switch (event) {
      case OutputEvent.Reasoning more -> new PartialThinking(more.text());
      case OutputEvent.Answer more -> partial(more.text());
      // The framework has no such thing: what the model wrote is what it said, on a new line.
      case OutputEvent.BrokenCall broken ->
          partial((response.hasText() ? "\n" : "") + broken.text());
      case OutputEvent.Call made -> {
        ToolExecutionRequest call = ToolMapper.request(made.call());
        yield new CompleteToolCall(response.add(call), call);
      }
    };
  }

  private PartialResponse partial(String text) {
    response.add(text);
    return new PartialResponse(text);
  }

  private CompleteResponse end(Conversations.Started run) {
    ChatReply reply = run.turn().reply();
    conversations.keep(run.session());
    if (reply.result().finishReason() == FinishReason.CANCELLED) {
      if (!cancelled) {
        Thread.currentThread().interrupt();
      }
      throw new CancellationException("the reply was cancelled");
    }
    return new CompleteResponse(response.build(reply));
  }
}
