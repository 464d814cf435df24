package dev.gdn.kernels.vector;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.KernelProvider;
import dev.gdn.core.kernel.Kernels;
import java.util.Optional;

/** Provides the vector kernels. */
public final class VectorProvider implements KernelProvider {
  /** For the service loader. */
  public VectorProvider() {}

  @Override
  public String name() {
    return "vector";
  }

  @Override
  public int speed() {
    return 10;
  }

  @Override
  public Optional<String> unavailable() {
    return Optional.empty();
  }

  @Override
  public Kernels open(Workers workers) {
    throw new IllegalStateException("being written");
  }
}
