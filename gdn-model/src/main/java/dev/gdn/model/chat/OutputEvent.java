package dev.gdn.model.chat;

import java.util.Objects;

/** What a model's output holds, in the order in which it comes. */
public sealed interface OutputEvent {
  /** More of the thought; not empty. */
  record Reasoning(String text) implements OutputEvent {
    public Reasoning {
      Objects.requireNonNull(text, "text");
    }
  }

  /** More of the answer; not empty. */
  record Answer(String text) implements OutputEvent {
    public Answer {
      Objects.requireNonNull(text, "text");
    }
  }

  /** A tool that the model calls. */
  record Call(ToolCall call) implements OutputEvent {
    public Call {
      Objects.requireNonNull(call, "call");
    }
  }

  /**
   * A call that cannot be made.
   *
   * @param text what the model wrote, from its begin mark on
   * @param problem what is wrong: what was found and what was expected
   * @param cutOff whether the text ended before the call did
   */
  record BrokenCall(String text, String problem, boolean cutOff) implements OutputEvent {
    public BrokenCall {
      Objects.requireNonNull(text, "text");
      Objects.requireNonNull(problem, "problem");
    }
  }
}
