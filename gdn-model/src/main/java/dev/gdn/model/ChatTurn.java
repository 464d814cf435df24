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
import java.util.function.BiConsumer;

/**
 * One reply of a {@link ChatSession}, while it comes: pieces of the thought and the answer, and
 * tool calls. When the events are exhausted, {@link #reply()} holds the whole, and the session's
 * history has it. Cancelled, it ends with what there is so far.
 */
public final class ChatTurn implements EventIterator<OutputEvent> {
  private final Generation generation;
  private final OutputParser parser;
  private final BiConsumer<ChatReply, int[]> onReply;
  private final Runnable onFailure;
  private final Deque<OutputEvent> queue = new ArrayDeque<>();
  private final List<OutputEvent> events = new ArrayList<>();
  private Optional<ChatReply> reply = Optional.empty();
  private boolean failed;

  ChatTurn(
      Generation generation,
      OutputParser parser,
      BiConsumer<ChatReply, int[]> onReply,
      Runnable onFailure) {
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
    queue.clear();
    if (!failed) {
      failed = true;
      reply = Optional.empty();
      onFailure.run();
    }
  }

  @Override
  public synchronized boolean hasEnded() {
    return queue.isEmpty() && (failed || reply.isPresent());
  }

  /**
   * Whether there is more; computes until that is known.
   *
   * @throws dev.gdn.model.error.ContextFullException if the conversation does not fit the context
   */
  @Override
  public synchronized boolean hasNext() {
    while (queue.isEmpty() && reply.isEmpty() && !failed) {
      advance();
    }
    return !queue.isEmpty();
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
    return reply.orElseThrow(
        () -> new IllegalStateException("the reply has not come to its end, or has failed"));
  }

  private void advance() {
    failed = true; // unless the step succeeds
    try {
      GenerationEvent event = generation.next();
      add(parser.accept(event.text()));
      if (event instanceof GenerationEvent.Finished end) {
        add(parser.finish(end.result().finishReason().cutsOff()));
        finish(end.result());
      }
      failed = false;
    } finally {
      if (failed) {
        onFailure.run();
      }
    }
  }

  private void add(List<OutputEvent> more) {
    queue.addAll(more);
    events.addAll(more);
  }

  private void finish(GenerationResult result) {
    ModelOutput output = ModelOutput.of(events);
    Optional<String> thought =
        output.reasoning().isEmpty() ? Optional.empty() : Optional.of(output.reasoning());
    Message.Assistant message = new Message.Assistant(output.answer(), thought, output.calls());
    ChatReply whole = new ChatReply(message, output.brokenCalls(), result);
    onReply.accept(whole, result.tokens().stream().mapToInt(Integer::intValue).toArray());
    reply = Optional.of(whole);
  }
}
