package dev.gdn.kernels;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.KernelChoice;
import dev.gdn.core.kernel.KernelProvider;
import dev.gdn.core.kernel.Kernels;
import java.util.ArrayList;
import java.util.List;

/** Kernels under test. Every test of a kernel runs against each of them. */
record KernelSet(KernelProvider provider) {
  private static final Workers WORKERS = Workers.of(2);

  /**
   * The sets that the system property {@code gdn.test.kernels} names. One that is missing or cannot
   * run here fails the tests, rather than being passed over.
   */
  static List<KernelSet> all() {
    List<KernelSet> sets = new ArrayList<>();
    for (String name : System.getProperty("gdn.test.kernels", "scalar,vector").split(",")) {
      sets.add(new KernelSet(KernelChoice.named(name)));
    }
    return sets;
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
