package dev.gdn.cli;

import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which model a command runs, and how. */
final class ModelOption {
  @Mixin private ModelPath path;

  @Option(
      names = "--context",
      paramLabel = "N",
      defaultValue = "0",
      description = "Most tokens to hold; 0 for as many as the model was made for.")
  private int context;

  @Mixin private CacheOption cache;

  @Mixin private KernelOptions kernels;

  /** Where it is. */
  Path path() {
    return path.get();
  }

  LanguageModel open() {
    return open(new QuantizeOption());
  }

  /** Opens it and shows how far that is, where it takes more than mapping the weights. */
  LanguageModel open(QuantizeOption quantize) {
    try (Progress progress = new Progress("loading", "MB", 1_000_000)) {
      ModelOptions options =
          ModelOptions.defaults()
              .withKernels(kernels.name())
              .withWorkers(kernels.workers())
              .withContext(context)
              .withKeyValueType(cache.type())
              .withLoadProgress(progress::done);
      return LanguageModel.open(path(), quantize.applyTo(options));
    }
  }
}
