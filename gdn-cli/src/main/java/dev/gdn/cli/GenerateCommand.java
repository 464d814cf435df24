package dev.gdn.cli;

import dev.gdn.model.LanguageModel;
import dev.gdn.model.Session;
import dev.gdn.model.TextGenerator;
import dev.gdn.model.error.ContextFullException;
import dev.gdn.model.generation.FinishReason;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.GenerationResult;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "generate", description = "Continues a text.")
final class GenerateCommand extends BaseCommand {
  @ArgGroup private Prompt prompt;

  @Mixin private ModelOption model;

  @Mixin private QuantizeOption quantize;

  @Option(names = "--greedy", description = "Always take the likeliest token.")
  private boolean greedy;

  @Option(
      names = {"-n", "--max-tokens"},
      paramLabel = "N",
      description = "Most tokens to generate; 256 if none.")
  private Integer maxTokens;

  @Option(
      names = "--temperature",
      paramLabel = "T",
      description = "Divides the logits; 0: greedy. The checkpoint's own if none, else 0.8.")
  private Float temperature;

  @Option(
      names = "--top-k",
      paramLabel = "N",
      description = "Likeliest tokens to keep; 0: all. The checkpoint's own if none, else 40.")
  private Integer topK;

  @Option(
      names = "--top-p",
      paramLabel = "P",
      description = "Probability to keep, over 0 to 1. The checkpoint's own if none, else 0.95.")
  private Float topP;

  @Option(names = "--seed", paramLabel = "S", description = "Makes a run repeatable.")
  private Long seed;

  @Option(names = "--quiet", description = "Print the generated text alone.")
  private boolean quiet;

  /** The prompt as an option or as words. */
  static final class Prompt {
    @Option(names = "--prompt", paramLabel = "TEXT", required = true, description = "The prompt.")
    private String text;

    @Parameters(paramLabel = "TEXT", arity = "1..*", description = "The prompt, as words.")
    private List<String> words;

    String text() {
      return text != null ? text : String.join(" ", words);
    }
  }

  @Override
  void run(PrintWriter out) {
    String text = prompt == null ? "" : prompt.text();
    if (text.isEmpty()) {
      throw new InputException("prompt: expected a text, found none");
    }
    if (greedy && temperature != null && temperature != 0) {
      throw new InputException(
          "--greedy and --temperature %s contradict each other; give one".formatted(temperature));
    }
    try (LanguageModel opened = model.open(quantize)) {
      GenerationOptions options = options(opened.defaultOptions());
      int[] ids = opened.tokenizer().encode(text);
      Session session = opened.newSession();
      if (ids.length > session.remaining()) {
        throw new ContextFullException(session.position(), ids.length, opened.context());
      }
      // Printed when all that the user gave is known to be of use.
      if (!quiet) {
        out.print(text);
        out.flush();
      }
      GenerationResult result =
          new TextGenerator(opened, session)
              .generate(ids, options, (id, piece) -> print(out, piece));
      out.println();
      if (!quiet) {
        out.flush();
        err().println(statistics(result));
      }
    }
  }

  private GenerationOptions options(GenerationOptions suggested) {
    GenerationOptions options = greedy ? suggested.withTemperature(0) : suggested;
    if (maxTokens != null) {
      options = options.withMaxTokens(maxTokens);
    }
    if (temperature != null) {
      options = options.withTemperature(temperature);
    }
    if (topK != null) {
      options = options.withTopK(topK);
    }
    if (topP != null) {
      options = options.withTopP(topP);
    }
    return seed == null ? options : options.withSeed(seed);
  }

  // Where nobody reads on, as in "gdn generate ... | head", there is no use in going on.
  private static void print(PrintWriter out, String piece) {
    out.print(piece);
    if (out.checkError()) {
      Thread.currentThread().interrupt();
    }
  }

  private static String statistics(GenerationResult result) {
    String prompt = speed("prompt", result.promptTokens(), result.prefillTime());
    // The first token comes with the prompt's last.
    int steps = result.tokens().size() - 1;
    String then = steps > 0 ? ", " + speed("then", steps, result.decodeTime()) : "";
    return "[%s%s; %s]".formatted(prompt, then, ending(result.finishReason()));
  }

  private static String speed(String what, int tokens, Duration time) {
    double seconds = time.toNanos() * 1e-9;
    return String.format(
        Locale.ROOT, "%s %d tokens in %.2f s, %.1f/s", what, tokens, seconds, tokens / seconds);
  }

  private static String ending(FinishReason reason) {
    return switch (reason) {
      case STOP_TOKEN -> "the text is complete";
      case MAX_TOKENS -> "as many as asked for";
      case CONTEXT_FULL -> "the context is full";
      case CANCELLED -> "cancelled";
    };
  }
}
