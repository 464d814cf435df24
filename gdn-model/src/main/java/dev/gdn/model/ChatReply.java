package dev.gdn.model;

import dev.gdn.model.chat.Message;
import dev.gdn.model.chat.OutputEvent;
import dev.gdn.model.generation.GenerationResult;
import java.util.List;

/**
 * What the model replied. Immutable.
 *
 * @param message the answer, the thought and the tool calls, as the history keeps them
 * @param brokenCalls calls that cannot be made, in order
 * @param result of the generation: why it ended, tokens and times
 */
public record ChatReply(
    Message.Assistant message, List<OutputEvent.BrokenCall> brokenCalls, GenerationResult result) {
  /** Copies the list. */
  public ChatReply {
    brokenCalls = List.copyOf(brokenCalls);
  }

  /** The answer, empty if there is none. */
  public String text() {
    return message.content();
  }
}
