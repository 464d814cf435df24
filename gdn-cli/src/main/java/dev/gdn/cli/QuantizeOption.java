package dev.gdn.cli;

import dev.gdn.model.ModelOptions;
import dev.gdn.model.checkpoint.Quantization;
import picocli.CommandLine.Option;

/** What a model's matrices become while they are loaded. */
final class QuantizeOption {
  @Option(
      names = "--quantize",
      paramLabel = "TYPE",
      description =
          "Quantise matrices in floating point while loading them: ${COMPLETION-CANDIDATES}.")
  private Quantization type;

  ModelOptions applyTo(ModelOptions options) {
    return type == null ? options : options.withQuantization(type);
  }
}
