package dev.gdn.model.checkpoint;

import dev.gdn.core.concurrent.Workers;
import java.util.Objects;
import java.util.Optional;

/**
 * How weights are loaded.
 *
 * @param quantization what matrices in floating point become; empty: they stay as they are stored
 * @param workers decode and encode rows
 * @param progress told how far it is
 */
public record LoadOptions(
    Optional<Quantization> quantization, Workers workers, LoadProgress progress) {
  /** Checks that all are there. */
  public LoadOptions {
    Objects.requireNonNull(quantization, "quantization");
    Objects.requireNonNull(workers, "workers");
    Objects.requireNonNull(progress, "progress");
  }

  /** Weights as they are stored, on the pool of the process. */
  public static LoadOptions defaults() {
    return new LoadOptions(Optional.empty(), Workers.shared(), (bytes, total) -> {});
  }
}
