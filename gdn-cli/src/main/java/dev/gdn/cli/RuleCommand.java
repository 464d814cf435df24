package dev.gdn.cli;

import dev.gdn.core.batch.GatedDeltaRule;
import dev.gdn.core.batch.RuleResult;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.safetensors.SafetensorsFile;
import dev.gdn.model.safetensors.SafetensorsWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "rule",
    description = {
      "Runs the gated delta rule on the tensors of safetensors files: q, k [B,T,H,K]; v [B,T,HV,V];"
          + " beta [B,T,HV] or [B,T,HV,V]; as far as there is decay, g [B,T,HV], gk [B,T,HV,K] and"
          + " gv [B,T,HV,V]; optionally initial_state [N,HV,K,V] and cu_seqlens [N+1]. All but the"
          + " gates are finite. The metadata say op, scale and qk_l2norm.",
      "Writes o [B,T,HV,V] and final_state [N,HV,K,V], float32, under the same file name."
    })
final class RuleCommand extends BaseCommand {
  private static final String EXTENSION = ".safetensors";

  @Option(
      names = {"-i", "--in"},
      paramLabel = "FILE_OR_DIR",
      required = true,
      description = "A case, or a folder of cases.")
  private Path in;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE_OR_DIR",
      required = true,
      description = "Where results go; a folder if --in is one.")
  private Path out;

  @Mixin private RuleOptions options;

  @Mixin private KernelOptions kernelOptions;

  @Override
  void run(PrintWriter standard) {
    Kernels kernels = kernelOptions.open();
    GatedDeltaRule rule = new GatedDeltaRule(kernels.rule());
    if (!Files.isDirectory(in)) {
      Path target = Files.isDirectory(out) ? out.resolve(in.getFileName()) : out;
      runFile(rule, in, target)
          .ifPresent(
              reason -> {
                throw new InputException(in + ": " + reason);
              });
      return;
    }
    checkApart(in, out);
    createFolder(out);
    for (Path file : cases(in)) {
      runFile(rule, file, out.resolve(file.getFileName()))
          .ifPresent(reason -> standard.println(file.getFileName() + ": passed over: " + reason));
    }
  }

  /** Runs a case, or says why it is none that this command runs. */
  private Optional<String> runFile(GatedDeltaRule rule, Path file, Path target) {
    checkApart(file, target);
    try (SafetensorsFile opened = SafetensorsFile.open(file)) {
      Optional<String> reason = RuleCase.reasonToPassOver(opened);
      if (reason.isEmpty()) {
        RuleCase input = RuleCase.read(opened, options);
        RuleResult result = rule.apply(options.form(), input.parameters(), input.batch());
        write(input, result, target);
      }
      return reason;
    } catch (OutOfMemoryError e) {
      throw new InputException(file + ": " + Failures.describe(e), e);
    }
  }

  // Results have the name of their input, so that a wrong --out would replace it.
  private static void checkApart(Path in, Path out) {
    try {
      if (Files.exists(in) && Files.exists(out) && Files.isSameFile(in, out)) {
        throw new InputException("--out: expected another place than --in, found " + out);
      }
    } catch (IOException e) {
      throw FileProblem.of(out, "cannot be compared with --in", e);
    }
  }

  private void write(RuleCase input, RuleResult result, Path target) {
    var shape = input.batch().shape();
    SafetensorsWriter writer = new SafetensorsWriter();
    writer.add(
        "o",
        new Shape(shape.batch(), shape.tokens(), shape.valueHeads(), shape.valueWidth()),
        result.output());
    writer.add(
        "final_state",
        new Shape(
            options.stateShape(
                input.batch().sequences(),
                shape.valueHeads(),
                shape.keyWidth(),
                shape.valueWidth())),
        result.finalState());
    Outputs.write(writer, target);
  }

  private static List<Path> cases(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> cases =
          files.filter(file -> file.toString().endsWith(EXTENSION)).sorted().toList();
      if (cases.isEmpty()) {
        throw new InputException(folder + ": expected *.safetensors files, found none");
      }
      return cases;
    } catch (IOException e) {
      throw FileProblem.of(folder, "cannot be read", e);
    }
  }

  private static void createFolder(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw FileProblem.of(folder, "cannot be made a folder", e);
    }
  }
}
