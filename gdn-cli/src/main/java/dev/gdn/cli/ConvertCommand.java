package dev.gdn.cli;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.demo.DemoModel;
import dev.gdn.model.convert.HubToGguf;
import dev.gdn.model.gguf.FileType;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "convert",
    description = "Writes a checkpoint folder as a GGUF file, quantised if so asked.")
final class ConvertCommand extends BaseCommand {
  @Option(
      names = {"-m", "--model"},
      paramLabel = "DIR",
      description =
          "A checkpoint folder as model hubs publish it; the demonstration model if none.")
  private Path folder;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      defaultValue = "Q8_0",
      description =
          "How matrices are stored: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} if none. F32 and"
              + " BF16 hold numbers that are too large for the others.")
  private FileType type;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      required = true,
      description = "The file to write.")
  private Path out;

  @Override
  void run(PrintWriter standard) throws Exception {
    Path source = folder == null ? DemoModel.extract() : folder;
    Outputs.checkApartFromModel(out, "--out", source);
    try (Progress progress = new Progress("writing", "MB", 1_000_000)) {
      HubToGguf.convert(source, type, out, Workers.shared(), progress::done);
    } catch (IOException e) {
      throw FileProblem.of(out, "cannot be written", e);
    }
    standard.printf(Locale.ROOT, "%s: %s, %.1f MB%n", out, type, Files.size(out) * 1e-6);
  }
}
