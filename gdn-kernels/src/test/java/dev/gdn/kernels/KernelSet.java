package dev.gdn.kernels;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.KernelProvider;
import dev.gdn.core.kernel.Kernels;
import java.util.List;
import java.util.ServiceLoader;

/** Kernels under test. Every test of a kernel runs against every set that can run here. */
record KernelSet(KernelProvider provider) {
  private static final Workers WORKERS = Workers.of(2);

  static List<KernelSet> all() {
    return ServiceLoader.load(KernelProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.unavailable().isEmpty())
        .map(KernelSet::new)
        .toList();
  }

  Kernels open() {
    return provider.open(WORKERS);
  }

  Kernels open(Workers workers) {
    return provider.open(workers);
  }

  @Override
  public String toString() {
    return provider.name();
  }
}
