package dev.gdn.kernels.scalar;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.KernelProvider;
import dev.gdn.core.kernel.Kernels;
import java.util.Optional;

/** Provides the scalar kernels. */
public final class ScalarProvider implements KernelProvider {
  /** For the service loader. */
  public ScalarProvider() {}

  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public int speed() {
    return 0;
  }

  @Override
  public Optional<String> unavailable() {
    return Optional.empty();
  }

  @Override
  public Kernels open(Workers workers) {
    return new ScalarKernels(workers);
  }
}
