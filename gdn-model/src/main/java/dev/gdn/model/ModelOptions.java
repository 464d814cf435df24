package dev.gdn.model;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.KernelChoice;
import java.util.Objects;

/**
 * How a model is opened.
 *
 * @param kernels {@code auto}, {@code scalar} or {@code vector}
 * @param workers the pool that its sessions share
 * @param context the most tokens a session takes; 0 for as many as the checkpoint was made for
 */
public record ModelOptions(String kernels, Workers workers, int context) {
  /**
   * @throws IllegalArgumentException if the context is negative
   */
  public ModelOptions {
    Objects.requireNonNull(kernels, "kernels");
    Objects.requireNonNull(workers, "workers");
    if (context < 0) {
      throw new IllegalArgumentException("context: expected at least 0, found " + context);
    }
  }

  /** The fastest kernels, the pool of the process, the checkpoint's own context. */
  public static ModelOptions defaults() {
    return new ModelOptions(KernelChoice.AUTO, Workers.shared(), 0);
  }

  /** The same with these kernels. */
  public ModelOptions withKernels(String kernels) {
    return new ModelOptions(kernels, workers, context);
  }

  /** The same with this pool. */
  public ModelOptions withWorkers(Workers workers) {
    return new ModelOptions(kernels, workers, context);
  }

  /** The same with this context. */
  public ModelOptions withContext(int context) {
    return new ModelOptions(kernels, workers, context);
  }
}
