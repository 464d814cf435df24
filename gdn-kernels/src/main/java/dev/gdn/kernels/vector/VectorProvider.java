package dev.gdn.kernels.vector;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.KernelProvider;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.RowGroups;
import dev.gdn.core.tensor.RowLayout;
import java.util.Optional;
import java.util.Set;

/**
 * Provides the vector kernels, where the module of the Vector API is there. Only {@link #open}
 * links classes that need it.
 */
public final class VectorProvider implements KernelProvider {
  private static final String MODULE = "jdk.incubator.vector";

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
    return ModuleLayer.boot().findModule(MODULE).isPresent()
        ? Optional.empty()
        : Optional.of(
            "the module %s is not there; start java with --add-modules %s"
                .formatted(MODULE, MODULE));
  }

  @Override
  public void prepare(Set<DataType> weights) {
    if (unavailable().isEmpty()) {
      WarmUp.start(weights);
    }
  }

  @Override
  public RowLayout layout(DataType type) {
    return RowGroups.covers(type) ? RowLayout.GROUPS : RowLayout.ROWS;
  }

  @Override
  public Kernels open(Workers workers) {
    unavailable()
        .ifPresent(
            cause -> {
              throw new IllegalStateException("vector kernels: " + cause);
            });
    WarmUp.start(Set.of());
    return new VectorKernels(workers);
  }
}
