package dev.gdn.model;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.KernelChoice;
import dev.gdn.model.checkpoint.LoadProgress;
import dev.gdn.model.checkpoint.Quantization;
import java.util.Objects;
import java.util.Optional;

/**
 * How a model is opened.
 *
 * @param kernels {@code auto}, {@code scalar} or {@code vector}
 * @param workers the pool that its sessions share
 * @param context the most tokens a session takes; 0 for as many as the checkpoint was made for
 * @param quantization what matrices in floating point become while they are loaded; empty: they
 *     stay as they are stored
 * @param loadProgress told how far that is
 */
public record ModelOptions(
    String kernels,
    Workers workers,
    int context,
    Optional<Quantization> quantization,
    LoadProgress loadProgress) {
  /**
   * @throws IllegalArgumentException if the context is negative
   */
  public ModelOptions {
    Objects.requireNonNull(kernels, "kernels");
    Objects.requireNonNull(workers, "workers");
    Objects.requireNonNull(quantization, "quantization");
    Objects.requireNonNull(loadProgress, "loadProgress");
    if (context < 0) {
      throw new IllegalArgumentException("context: expected at least 0, found " + context);
    }
  }

  /** The fastest kernels, the pool of the process, the checkpoint's own context and weights. */
  public static ModelOptions defaults() {
    return new ModelOptions(
        KernelChoice.AUTO, Workers.shared(), 0, Optional.empty(), (bytes, total) -> {});
  }

  /** The same with these kernels. */
  public ModelOptions withKernels(String kernels) {
    return new ModelOptions(kernels, workers, context, quantization, loadProgress);
  }

  /** The same with this pool. */
  public ModelOptions withWorkers(Workers workers) {
    return new ModelOptions(kernels, workers, context, quantization, loadProgress);
  }

  /** The same with this context. */
  public ModelOptions withContext(int context) {
    return new ModelOptions(kernels, workers, context, quantization, loadProgress);
  }

  /** The same with matrices quantised while they are loaded. */
  public ModelOptions withQuantization(Quantization quantization) {
    return new ModelOptions(kernels, workers, context, Optional.of(quantization), loadProgress);
  }

  /** The same with somebody to tell how far the loading is. */
  public ModelOptions withLoadProgress(LoadProgress loadProgress) {
    return new ModelOptions(kernels, workers, context, quantization, loadProgress);
  }
}
