package dev.gdn.cli;

import dev.gdn.model.safetensors.SafetensorsFile;
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
          + " gates are finite. The metadata say op, which is gated_delta_rule; scale, a decimal"
          + " number, 1/sqrt(K) if left out; and qk_l2norm, true or false, true if left out.",
      "Writes o [B,T,HV,V] and final_state [N,HV,K,V], float32, under the same file name. In a"
          + " folder, a bad case does not keep the others from being run, and what an earlier run"
          + " wrote for it is removed; a file of another op is passed over.",
      "With op gated_delta_rule_backward in the metadata it also reads do [B,T,HV,V] and, if there"
          + " is one, dfinal_state, the derivatives of a loss by the results, and also writes"
          + " those by the inputs: dq, dk, dv, dg, dgk, dgv, dbeta, dinitial_state."
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
    RuleRun rule = new RuleRun(kernelOptions, options);
    if (!Files.isDirectory(in)) {
      Path target = Files.isDirectory(out) ? out.resolve(in.getFileName()) : out;
      Outputs.checkApart(target, "--out", in, "--in");
      runFile(rule, in, target)
          .ifPresent(
              reason -> {
                throw new InputException(in + ": " + reason);
              });
      return;
    }
    Outputs.checkApart(out, "--out", in, "--in");
    List<Path> cases = cases(in);
    createFolder(out);
    int bad = 0;
    for (Path file : cases) {
      try {
        runCase(rule, file)
            .ifPresent(reason -> standard.println(file.getFileName() + ": passed over: " + reason));
      } catch (RuntimeException e) {
        if (!Failures.isBadInput(e)) {
          throw e;
        }
        Failures.say(err(), Failures.message(e));
        bad++;
      }
    }
    if (bad > 0) {
      throw new InputException(
          "%s: %s of %s could not be run".formatted(in, bad, Message.count(cases.size(), "case")));
    }
  }

  /** Runs a case of a folder. No result of an earlier run is left for one that turns out bad. */
  private Optional<String> runCase(RuleRun rule, Path file) {
    Path target = out.resolve(file.getFileName());
    Outputs.checkApart(target, "--out", in, "--in");
    try {
      return runFile(rule, file, target);
    } catch (RuntimeException e) {
      if (Failures.isBadInput(e)) {
        removeResult(target, e);
      }
      throw e;
    }
  }

  private static void removeResult(Path target, RuntimeException reason) {
    try {
      Outputs.remove(target);
    } catch (InputException e) {
      throw new InputException(Failures.message(reason) + "; " + e.getMessage(), reason);
    }
  }

  /** Runs a case, or says why it is none that this command runs. */
  private Optional<String> runFile(RuleRun rule, Path file, Path target) {
    try (SafetensorsFile opened = SafetensorsFile.open(file)) {
      Optional<String> reason = RuleCase.reasonToPassOver(opened);
      if (reason.isEmpty()) {
        Outputs.write(rule.run(RuleCase.read(opened, options)), target);
      }
      return reason;
    } catch (OutOfMemoryError e) {
      throw new InputException(file + ": " + Failures.describe(e), e);
    }
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
