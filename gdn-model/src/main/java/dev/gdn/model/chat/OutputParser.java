package dev.gdn.model.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes a model's output apart as it comes, in pieces of any size: the thought between {@code
 * <think>} and {@code </think>}, the answer, and tool calls between {@code <tool_call>} and {@code
 * </tool_call>}. White space that only separates these is dropped, but where an answer goes on
 * behind calls, the first white space around them stays between its parts. Text that may turn out
 * to belong to a mark is held back. One output per parser, one thread at a time.
 */
public final class OutputParser {
  private static final String THOUGHT_END = "</think>";
  private static final String CALL_BEGIN = "<tool_call>";
  private static final String CALL_END = "</tool_call>";

  /** So much of a begin mark, at the end of an output that was cut off, is a call's. */
  private static final String CALL_BEGUN = "<tool";

  private enum Part {
    /** Nothing but white space so far: a thought or an answer may begin. */
    BEGIN,
    THOUGHT,
    ANSWER,
    CALL
  }

  private final Optional<ToolCallReader> calls; // none if there are no tools
  private final StringBuilder pending = new StringBuilder();
  private Part part;
  private boolean dropsBlanks; // until the part's first other character
  private boolean answered; // whether there has been some of the answer
  private String gap = ""; // white space around the calls since then
  private int searched; // of a call's text, where the search for its end goes on
  private List<OutputEvent> events = new ArrayList<>();

  /**
   * A parser at the beginning of an output.
   *
   * @param tools what the model may call; without any, {@code <tool_call>} is text like other text
   * @param opensThought whether the prompt has opened the thought already, see {@link
   *     ChatTemplate#opensThought}
   */
  public OutputParser(List<ToolDefinition> tools, boolean opensThought) {
    calls = tools.isEmpty() ? Optional.empty() : Optional.of(new ToolCallReader(tools));
    part = opensThought ? Part.THOUGHT : Part.BEGIN;
    dropsBlanks = opensThought;
  }

  /** Takes a whole output apart, one that was not cut off. */
  public static ModelOutput parse(String text, List<ToolDefinition> tools, boolean opensThought) {
    OutputParser parser = new OutputParser(tools, opensThought);
    List<OutputEvent> events = new ArrayList<>(parser.accept(text));
    events.addAll(parser.finish(false));
    return ModelOutput.of(events);
  }

  /** Takes the next piece; returns what it makes certain, often nothing. */
  public List<OutputEvent> accept(String piece) {
    pending.append(piece);
    while (advance()) {}
    return taken();
  }

  /**
   * Takes the end of the output; returns what was held back. The parser is not to be used again.
   *
   * @param cutOff whether the output was ended by a limit or from outside: {@code <tool_c} is then
   *     a call that is cut off. Where the model ended it, that is text; a call that has begun is
   *     cut off either way
   */
  public List<OutputEvent> finish(boolean cutOff) {
    switch (part) {
      case BEGIN -> emit(pending.length());
      case ANSWER -> finishAnswer(cutOff);
      case THOUGHT -> emit(blanksFrom(pending.length()));
      case CALL -> breakOff(CALL_BEGIN + pending, CALL_END);
    }
    pending.setLength(0);
    return taken();
  }

  private void finishAnswer(boolean cutOff) {
    int mark = partialMark(CALL_BEGIN);
    boolean begun = cutOff && calls.isPresent() && pending.indexOf(CALL_BEGUN, mark) == mark;
    if (begun) {
      int end = blanksFrom(mark);
      emit(end);
      breakOff(pending.substring(mark - end), CALL_BEGIN);
    } else {
      emit(pending.length());
    }
  }

  private void breakOff(String text, String expected) {
    events.add(
        new OutputEvent.BrokenCall(
            text, "expected " + expected + ", found the end of the text", true));
  }

  private List<OutputEvent> taken() {
    List<OutputEvent> taken = List.copyOf(events);
    events = new ArrayList<>();
    return taken;
  }

  /** Goes on as far as the next mark; false if more text is needed to go on. */
  private boolean advance() {
    return switch (part) {
      case BEGIN -> begin();
      case THOUGHT -> text(THOUGHT_END, Part.ANSWER);
      case ANSWER -> answer();
      case CALL -> call();
    };
  }

  private boolean begin() {
    int start = 0;
    while (start < pending.length() && Character.isWhitespace(pending.charAt(start))) {
      start++;
    }
    String mark = ChatTemplate.THOUGHT_BEGIN;
    String found = pending.substring(start, Math.min(pending.length(), start + mark.length()));
    if (found.equals(mark)) {
      enter(Part.THOUGHT, start + mark.length());
      return true;
    }
    if (mark.startsWith(found)) {
      return false;
    }
    part = Part.ANSWER;
    return true;
  }

  private boolean answer() {
    if (calls.isEmpty()) {
      emit(pending.length());
      return false;
    }
    return text(CALL_BEGIN, Part.CALL);
  }

  /** Emits the text before a mark, and goes on behind it. */
  private boolean text(String mark, Part following) {
    int at = pending.indexOf(mark);
    if (at < 0) {
      emit(blanksFrom(partialMark(mark)));
      return false;
    }
    int end = blanksFrom(at);
    emit(end);
    if (following == Part.CALL && gap.isEmpty()) {
      gap = pending.substring(0, at - end);
    }
    enter(following, at - end + mark.length());
    return true;
  }

  private void enter(Part following, int from) {
    pending.delete(0, from);
    part = following;
    dropsBlanks = true;
    searched = 0;
  }

  /** Where the longest end of the text begins that the mark may begin with. */
  private int partialMark(String mark) {
    int from = Math.max(0, pending.length() - mark.length() + 1);
    while (!mark.startsWith(pending.substring(from))) {
      from++;
    }
    return from;
  }

  /** Where the white space before a place begins. */
  private int blanksFrom(int end) {
    int from = end;
    while (from > 0 && Character.isWhitespace(pending.charAt(from - 1))) {
      from--;
    }
    return from;
  }

  /** Emits the first characters of what is pending. */
  private void emit(int count) {
    int start = 0;
    while (dropsBlanks && start < count && Character.isWhitespace(pending.charAt(start))) {
      start++;
    }
    if (start < count) {
      String text = pending.substring(start, count);
      if (part == Part.THOUGHT) {
        events.add(new OutputEvent.Reasoning(text));
      } else {
        events.add(new OutputEvent.Answer(separation(start) + text));
        answered = true;
      }
      dropsBlanks = false;
    }
    pending.delete(0, count);
  }

  /** What stands before more of an answer, where white space was dropped at its beginning. */
  private String separation(int dropped) {
    String between = !answered ? "" : gap.isEmpty() ? pending.substring(0, dropped) : gap;
    gap = "";
    return between;
  }

  private boolean call() {
    int end = pending.indexOf(CALL_END, searched);
    if (end < 0) {
      searched = Math.max(0, pending.length() - CALL_END.length() + 1);
      return false;
    }
    String body = pending.substring(0, end);
    Optional<OutputEvent> event = calls.orElseThrow().read(body, CALL_BEGIN + body + CALL_END);
    if (event.isEmpty()) {
      searched = end + 1; // the mark is part of an argument
      return true;
    }
    events.add(event.get());
    enter(Part.ANSWER, end + CALL_END.length());
    return true;
  }
}
