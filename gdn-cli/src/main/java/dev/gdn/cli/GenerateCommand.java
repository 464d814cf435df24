package dev.gdn.cli;

import dev.gdn.model.Generation;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.Session;
import dev.gdn.model.TextGenerator;
import dev.gdn.model.error.ContextFullException;
import dev.gdn.model.generation.GenerationEvent;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.GenerationResult;
import dev.gdn.model.generation.LogProbabilities;
import dev.gdn.model.generation.TokenLogProbability;
import dev.gdn.model.tokenizer.Tokenizer;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "generate", description = "Continues a text.")
final class GenerateCommand extends BaseCommand {
  @ArgGroup private Prompt prompt;

  @Mixin private ModelOption model;

  @Mixin private QuantizeOption quantize;

  @Mixin private SamplingFlags sampling;

  @Mixin private ConstraintOption constraint;

  @Option(
      names = "--log-probabilities",
      paramLabel = "N",
      description =
          "Then list each token with its log-probability and the N likeliest ones at its place.")
  private Integer alternatives;

  @Option(
      names = "--quiet",
      description = "Print the generated text alone, and what is wrong with it.")
  private boolean quiet;

  /** The prompt as an option or as words. */
  static final class Prompt {
    @Option(names = "--prompt", paramLabel = "TEXT", required = true, description = "The prompt.")
    private String text;

    @Parameters(
        paramLabel = "TEXT",
        arity = "1..*",
        description = "The prompt, as words. One that begins with - comes last, after --.")
    private List<String> words;

    String text(CommandSpec command) {
      return text != null ? text : Words.joined(words, command);
    }
  }

  @Override
  void run(PrintWriter out) {
    String text = prompt == null ? "" : prompt.text(spec());
    if (text.isEmpty()) {
      throw new InputException("prompt: expected a text, found none");
    }
    try (LanguageModel opened = model.open(quantize)) {
      GenerationOptions options = constraint.applyTo(sampling.options(opened), opened);
      if (alternatives != null) {
        options = options.withLogProbabilities(alternatives);
      }
      int[] ids = opened.tokenizer().encode(text);
      Session session = opened.newSession();
      if (ids.length > session.remaining()) {
        throw new ContextFullException(session.position(), ids.length, opened.context());
      }
      Generation generation = new TextGenerator(opened, session).start(ids, options);
      // Printed when all that the user gave is known to be of use.
      if (!quiet) {
        out.print(text);
        if (options.constraint().isPresent() && !text.endsWith("\n")) {
          out.println(); // JSON goes on no text
        }
        out.flush();
      }
      GenerationResult result = generate(generation, out);
      out.println();
      result.logProbabilities().forEach(place -> out.println(line(opened.tokenizer(), place)));
      out.flush();
      if (!quiet) {
        err().println(Statistics.line(result));
      }
      Statistics.cutOff(result, options).ifPresent(problem -> Failures.say(err(), problem));
    }
  }

  // Where nobody reads on, as in "gdn generate ... | head", there is no use in going on.
  private static GenerationResult generate(Generation generation, PrintWriter out) {
    while (true) {
      GenerationEvent event = generation.next();
      out.print(event.text());
      if (out.checkError()) {
        generation.cancel();
      }
      if (event instanceof GenerationEvent.Finished end) {
        return end.result();
      }
    }
  }

  private static String line(Tokenizer tokenizer, LogProbabilities place) {
    return Stream.concat(Stream.of(place.chosen()), place.likeliest().stream())
        .map(token -> shown(tokenizer, token))
        .collect(Collectors.joining("  "));
  }

  private static String shown(Tokenizer tokenizer, TokenLogProbability token) {
    boolean known = token.id() < tokenizer.vocabularySize();
    String text = known ? tokenizer.decode(token.id()) : "";
    return String.format(
        Locale.ROOT, "%d \"%s\" %.4f", token.id(), Message.line(text), token.logProbability());
  }
}
