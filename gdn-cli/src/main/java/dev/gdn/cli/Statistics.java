package dev.gdn.cli;

import dev.gdn.model.generation.FinishReason;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.GenerationResult;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** A generation in one line of numbers. */
final class Statistics {
  private Statistics() {}

  static String line(GenerationResult result) {
    int read = result.counts().prompt() - result.counts().reused();
    String reused =
        result.counts().reused() > 0 ? " (%d reused)".formatted(result.counts().reused()) : "";
    String tokens = Message.count(read, "token");
    String prompt = speed("prompt " + tokens, read, result.timings().prefill());
    String then = then(result);
    int reasoning = result.counts().reasoning();
    String thought = reasoning > 0 ? ", %d of them thought".formatted(reasoning) : "";
    return "[%s%s%s%s; %s]".formatted(prompt, reused, then, thought, ending(result));
  }

  /** What is wrong with a text that was to have a form and ends before it has; else empty. */
  static Optional<String> cutOff(GenerationResult result, GenerationOptions options) {
    boolean early =
        switch (result.finishReason()) {
          case MAX_TOKENS, CONTEXT_FULL, STOP_STRING -> true;
          case STOP_TOKEN, CONSTRAINT_MET, CANCELLED -> false;
        };
    return early && options.constraint().isPresent()
        ? Optional.of(
            "the JSON is cut off after %s: %s"
                .formatted(Message.count(result.counts().generated(), "token"), ending(result)))
        : Optional.empty();
  }

  /** What was computed behind the prompt, whose last token gives the first new one. */
  private static String then(GenerationResult result) {
    boolean ended = result.finishReason() == FinishReason.STOP_TOKEN;
    int computed = result.counts().generated() - 1 + (ended ? 1 : 0);
    if (computed <= 0) {
      return "";
    }
    String tokens = Message.count(computed, "more token") + (ended ? " with the end token" : "");
    return ", " + speed("then " + tokens, computed, result.timings().decode());
  }

  private static String speed(String what, int tokens, Duration time) {
    double seconds = time.toNanos() * 1e-9;
    return String.format(Locale.ROOT, "%s in %.2f s, %.1f/s", what, seconds, tokens / seconds);
  }

  private static String ending(GenerationResult result) {
    FinishReason reason = result.finishReason();
    return switch (reason) {
      case STOP_TOKEN, CONSTRAINT_MET -> "the text is complete";
      case STOP_STRING -> "a stop string";
      case MAX_TOKENS -> "the limit of --max-tokens";
      case CONTEXT_FULL -> "the context is full";
      case CANCELLED -> "cancelled";
    };
  }
}
