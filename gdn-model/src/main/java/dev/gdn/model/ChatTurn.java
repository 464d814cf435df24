package dev.gdn.model;

import dev.gdn.model.chat.Message;
import dev.gdn.model.chat.ModelOutput;
import dev.gdn.model.chat.OutputEvent;
import dev.gdn.model.chat.OutputParser;
import dev.gdn.model.generation.GenerationEvent;
import dev.gdn.model.generation.GenerationResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One reply of a {@link ChatSession}, while it comes: pieces of the thought and the answer, and
 * tool calls. It ends when it has said that no event is left ({@link #hasNext()}, {@link
 * #hasEnded()}): from then on {@link #reply()} holds the whole, and the session's history has it.
 * Cancelled, it ends with what there is so far.
 */
public final class ChatTurn implements EventIterator<OutputEvent> {
  private final Generation generation;
  private final OutputParser parser;
  private final Consumer<ChatReply> onReply;
  private final Runnable onFailure;
  private final Deque<OutputEvent> queue = new ArrayDeque<>();
  private final List<OutputEvent> events = new ArrayList<>();
  // Once all of it is computed, which is before the last events are taken; none if it fails.
  private Optional<ChatReply> whole = Optional.empty();
  private boolean ended;

  ChatTurn(
      Generation generation, OutputParser parser, Consumer<ChatReply> onReply, Runnable onFailure) {
    this.generation = generation;
    this.parser = parser;
    this.onReply = onReply;
    this.onFailure = onFailure;
  }

  @Override
  public void cancel() {
    generation.cancel();
  }

  boolean isCancelled() {
    return generation.isCancelled();
  }

  /** Takes the events that are left, once another thread has ended its step. */
  synchronized void takeRest() {
    while (hasNext()) {
      next();
    }
  }

  /** Ends it as a failure does, however much of the reply there is. */
  synchronized void abandon() {
    generation.cancel();
    if (!ended) {
      fail();
    }
  }

  @Override
  public synchronized boolean hasEnded() {
    if (!ended && queue.isEmpty() && whole.isPresent()) {
      onReply.accept(whole.get());
      ended = true;
    }
    return ended;
  }

  /**
   * Whether there is more; computes until that is known.
   *
   * @throws dev.gdn.model.error.ContextFullException if the conversation does not fit the context
   */
  @Override
  public synchronized boolean hasNext() {
    while (!hasEnded() && queue.isEmpty()) {
      advance();
    }
    return !ended;
  }

  @Override
  public synchronized OutputEvent next() {
    hasNext();
    return queue.remove();
  }

  /**
   * The whole reply.
   *
   * @throws IllegalStateException if it has not come to its end
   */
  public synchronized ChatReply reply() {
    return whole
        .filter(reply -> ended)
        .orElseThrow(
            () -> new IllegalStateException("the reply has not come to its end, or has failed"));
  }

  private void advance() {
    ended = true; // unless the step succeeds
    try {
      GenerationEvent event = generation.next();
      add(parser.accept(event.text()));
      if (event instanceof GenerationEvent.Finished end) {
        add(parser.finish(end.result().finishReason().cutsOff()));
        whole = Optional.of(reply(end.result()));
      }
      ended = false;
    } finally {
      if (ended) {
        fail();
      }
    }
  }

  private void fail() {
    ended = true;
    queue.clear();
    whole = Optional.empty();
    onFailure.run();
  }

  private void add(List<OutputEvent> more) {
    queue.addAll(more);
    events.addAll(more);
  }

  private ChatReply reply(GenerationResult result) {
    ModelOutput output = ModelOutput.of(events);
    Optional<String> thought =
        output.reasoning().isEmpty() ? Optional.empty() : Optional.of(output.reasoning());
    Message.Assistant message = new Message.Assistant(output.answer(), thought, output.calls());
    return new ChatReply(message, output.brokenCalls(), result);
  }
}
