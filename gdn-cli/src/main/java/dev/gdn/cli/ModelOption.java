package dev.gdn.cli;

import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which model a command runs, and how. */
final class ModelOption {
  @Option(
      names = {"-m", "--model"},
      paramLabel = "DIR",
      description =
          "A checkpoint folder as model hubs publish it; the demonstration model if none.")
  private Path folder;

  @Option(
      names = "--context",
      paramLabel = "N",
      defaultValue = "0",
      description = "Most tokens to hold; 0 for as many as the model was made for.")
  private int context;

  @Mixin private KernelOptions kernels;

  LanguageModel open() {
    ModelOptions options =
        ModelOptions.defaults()
            .withKernels(kernels.name())
            .withWorkers(kernels.workers())
            .withContext(context);
    return LanguageModel.open(folder == null ? DemoModel.extract() : folder, options);
  }
}
