package dev.gdn.cli;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.KernelChoice;
import dev.gdn.core.kernel.Kernels;
import picocli.CommandLine.Option;

/** Which kernels compute, and on how many threads. */
final class KernelOptions {
  @Option(
      names = "--kernels",
      paramLabel = "NAME",
      defaultValue = KernelChoice.AUTO,
      description = "auto, scalar or vector; auto takes the fastest that can run here.")
  private String name;

  @Option(
      names = {"-t", "--threads"},
      paramLabel = "N",
      description = "Threads that compute; one for each physical core if not given.")
  private Integer threads;

  String name() {
    return name;
  }

  Workers workers() {
    return threads == null ? Workers.shared() : Workers.of(threads);
  }

  Kernels open() {
    return KernelChoice.named(name).open(workers());
  }
}
