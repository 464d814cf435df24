package dev.gdn.cli;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.synth.ModelShape;
import dev.gdn.model.synth.SyntheticCheckpoint;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "synth",
    description = "Writes a GGUF checkpoint of random weights, to measure speed with.")
final class SynthCommand extends BaseCommand {
  @Option(
      names = "--shape",
      paramLabel = "NAME",
      required = true,
      completionCandidates = Shapes.class,
      description =
          "Sizes of a published model, but for the 0.8b shape's vocabulary of 151936:"
              + " ${COMPLETION-CANDIDATES}.")
  private String shape;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      defaultValue = "Q8_0",
      description = "How matrices are stored: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} if none.")
  private FileType type;

  @Option(
      names = "--layers",
      paramLabel = "N",
      description = "Only the first N layers, where all would take too much room.")
  private Integer layers;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Of the weights; ${DEFAULT-VALUE} if none.")
  private long seed;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      required = true,
      description = "The file to write.")
  private Path out;

  @Override
  void run(PrintWriter standard) throws Exception {
    ModelShape sizes = ModelShape.named(shape.toLowerCase(Locale.ROOT));
    ModelConfig config = layers == null ? sizes.config() : sizes.config(layers);
    try (Progress progress = new Progress("writing", "MB", 1_000_000)) {
      SyntheticCheckpoint.write(
          sizes.title(), config, type, seed, out, Workers.shared(), progress::done);
    } catch (IOException e) {
      throw FileProblem.of(out, "cannot be written", e);
    }
    standard.printf(
        Locale.ROOT, "%s: %s in %s, %.1f MB%n", out, sizes.title(), type, Files.size(out) * 1e-6);
  }

  /** The names that {@code --shape} takes. */
  static final class Shapes extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Shapes() {
      super(Arrays.stream(ModelShape.values()).map(ModelShape::title).toList());
    }
  }
}
