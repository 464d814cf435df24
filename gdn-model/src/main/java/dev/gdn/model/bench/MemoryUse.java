package dev.gdn.model.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * Memory of this process.
 *
 * @param resident bytes in memory now, mapped weights included, if the system tells
 * @param peakResident the most there have been, if the system tells
 * @param heap bytes in use on the heap, dead objects included
 */
public record MemoryUse(OptionalLong resident, OptionalLong peakResident, long heap) {
  private static final Path STATUS = Path.of("/proc/self/status");

  /** What the process takes now. */
  public static MemoryUse now() {
    List<String> status = status();
    Runtime runtime = Runtime.getRuntime();
    return new MemoryUse(
        bytes(status, "VmRSS:"),
        bytes(status, "VmHWM:"),
        runtime.totalMemory() - runtime.freeMemory());
  }

  private static List<String> status() {
    try {
      return Files.exists(STATUS) ? Files.readAllLines(STATUS) : List.of();
    } catch (IOException notTold) {
      return List.of();
    }
  }

  /** A line reads {@code VmRSS: 1234 kB}. */
  private static OptionalLong bytes(List<String> status, String label) {
    return status.stream()
        .filter(line -> line.startsWith(label))
        .map(line -> line.substring(label.length()).replace("kB", "").strip())
        .mapToLong(kilobytes -> Long.parseLong(kilobytes) * 1024)
        .findFirst();
  }
}
