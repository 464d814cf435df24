package dev.gdn.cli;

import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.safetensors.SafetensorsFile;
import dev.gdn.model.safetensors.SafetensorsTensor;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "inspect",
    description =
        "Describes a checkpoint: architecture, sizes, layer plan and the memory it needs; or lists"
            + " the tensors of a safetensors file.")
final class InspectCommand extends BaseCommand {
  @Parameters(
      paramLabel = "PATH",
      arity = "0..1",
      description =
          "A checkpoint folder, a GGUF or a safetensors file; the demonstration model if not"
              + " given.")
  private Path path;

  @Override
  void run(PrintStream out) {
    Path inspected = path == null ? DemoModel.extract() : path;
    if (Files.isRegularFile(inspected) && inspected.toString().endsWith(".safetensors")) {
      try (SafetensorsFile file = SafetensorsFile.open(inspected)) {
        list(file, out);
      }
      return;
    }
    try (LanguageModel model = LanguageModel.open(inspected, ModelOptions.defaults())) {
      new ModelDescription(model.config()).print(out);
    }
  }

  private static void list(SafetensorsFile file, PrintStream out) {
    file.metadata().forEach((key, value) -> out.printf("metadata %s: %s%n", key, value));
    for (SafetensorsTensor tensor : file.tensors().values()) {
      out.printf("%s %s %s%n", tensor.name(), tensor.type(), tensor.shape());
    }
  }
}
