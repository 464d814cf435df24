package dev.gdn.cli;

import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.gguf.GgmlType;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.safetensors.SafetensorsFile;
import dev.gdn.model.safetensors.SafetensorsTensor;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "inspect",
    description =
        "Describes a checkpoint: architecture, sizes, layer plan, the memory that a session's state"
            + " takes, the types of a GGUF file's tensors; or lists the tensors of a safetensors"
            + " file.")
final class InspectCommand extends BaseCommand {
  private static final String GGUF = "GGUF";

  /** Where a safetensors file's JSON begins, after its length. */
  private static final int HEADER_START = 8;

  @Parameters(
      paramLabel = "PATH",
      arity = "0..1",
      description =
          "A checkpoint folder, a GGUF or a safetensors file; the demonstration model if not"
              + " given.")
  private Path path;

  @Override
  void run(PrintWriter out) {
    Path inspected = path == null ? DemoModel.extract() : path;
    if (Files.isRegularFile(inspected) && isSafetensors(inspected)) {
      try (SafetensorsFile file = SafetensorsFile.open(inspected)) {
        list(file, out);
      }
      return;
    }
    try (LanguageModel model = LanguageModel.open(inspected, ModelOptions.defaults())) {
      new ModelDescription(model.config()).print(out);
    }
    if (Files.isRegularFile(inspected)) {
      try (GgufFile file = GgufFile.open(inspected)) {
        out.printf("%-21s %s%n", "stored as", types(file));
      }
    }
  }

  /** How many tensors there are of each type, the most frequent first. */
  private static String types(GgufFile file) {
    Map<GgmlType, Integer> counts = new EnumMap<>(GgmlType.class);
    file.tensors().values().forEach(tensor -> counts.merge(tensor.type(), 1, Integer::sum));
    return counts.entrySet().stream()
        .sorted(Map.Entry.<GgmlType, Integer>comparingByValue().reversed())
        .map(entry -> entry.getValue() + " " + entry.getKey())
        .collect(Collectors.joining(", "));
  }

  // By what it holds: files come under any name. A name decides where the first bytes are damaged.
  private static boolean isSafetensors(Path file) {
    byte[] start;
    try (InputStream bytes = Files.newInputStream(file)) {
      start = bytes.readNBytes(HEADER_START + 1);
    } catch (IOException e) {
      throw FileProblem.of(file, "cannot be read", e);
    }
    String name = file.getFileName().toString();
    if (new String(start, StandardCharsets.ISO_8859_1).startsWith(GGUF) || name.endsWith(".gguf")) {
      return false;
    }
    if (name.endsWith(".safetensors")
        || start.length > HEADER_START && start[HEADER_START] == '{') {
      return true;
    }
    throw new InputException(
        file + ": expected a GGUF or a safetensors file, found neither: it begins like none");
  }

  private static void list(SafetensorsFile file, PrintWriter out) {
    file.metadata().forEach((key, value) -> out.printf("metadata %s: %s%n", key, value));
    for (SafetensorsTensor tensor : file.tensors().values()) {
      out.printf("%s %s %s%n", tensor.name(), tensor.type(), tensor.shape());
    }
  }
}
