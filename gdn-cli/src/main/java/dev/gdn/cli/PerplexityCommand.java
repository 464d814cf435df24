package dev.gdn.cli;

import dev.gdn.model.LanguageModel;
import dev.gdn.model.Perplexity;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "perplexity", description = "Measures how well a model predicts a text.")
final class PerplexityCommand extends BaseCommand {
  @Mixin private ModelOption model;

  @Mixin private QuantizeOption quantize;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "TEXT",
      required = true,
      description = "A text file in UTF-8.")
  private Path file;

  @Override
  void run(PrintWriter out) {
    String text = TextFile.read(file, TextFile.LARGE);
    try (LanguageModel opened = model.open(quantize)) {
      int[] ids = opened.tokenizer().encode(text);
      if (ids.length < 2) {
        throw new InputException(
            "%s: expected a text of at least two tokens, found %d".formatted(file, ids.length));
      }
      Perplexity perplexity = Perplexity.measure(opened, ids, (done, total) -> {});
      if (Double.isNaN(perplexity.value())) {
        throw new InputException(
            "the model's logits are no numbers: the checkpoint's weights hold or lead to"
                + " infinities");
      }
      out.printf(
          Locale.ROOT,
          "perplexity %.4f, mean negative log-likelihood %.6f, %d tokens scored%n",
          perplexity.value(),
          perplexity.meanNegativeLogLikelihood(),
          perplexity.tokens());
    }
  }
}
