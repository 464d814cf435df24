package dev.gdn.model.chat;

import java.util.ArrayList;
import java.util.List;

/**
 * A model's whole output, taken apart.
 *
 * @param reasoning the thought, empty if there was none
 * @param answer the answer, empty if the text ended within the thought
 * @param calls the tools called, in order
 * @param brokenCalls the calls that cannot be made, in order
 */
public record ModelOutput(
    String reasoning,
    String answer,
    List<ToolCall> calls,
    List<OutputEvent.BrokenCall> brokenCalls) {
  public ModelOutput {
    calls = List.copyOf(calls);
    brokenCalls = List.copyOf(brokenCalls);
  }

  /** What events make together. */
  public static ModelOutput of(List<OutputEvent> events) {
    StringBuilder reasoning = new StringBuilder();
    StringBuilder answer = new StringBuilder();
    List<ToolCall> calls = new ArrayList<>();
    List<OutputEvent.BrokenCall> broken = new ArrayList<>();
    for (OutputEvent event : events) {
      switch (event) {
        case OutputEvent.Reasoning more -> reasoning.append(more.text());
        case OutputEvent.Answer more -> answer.append(more.text());
        case OutputEvent.Call call -> calls.add(call.call());
        case OutputEvent.BrokenCall call -> broken.add(call);
      }
    }
    return new ModelOutput(reasoning.toString(), answer.toString(), calls, broken);
  }
}
