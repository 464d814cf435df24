package dev.gdn.core.concurrent;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** How many threads the pool of the process gets. */
final class Processors {
  private static final String PROPERTY = "gdn.threads";

  private Processors() {}

  static int configured() {
    String value = System.getProperty(PROPERTY);
    if (value == null) {
      return Math.min(physicalCores(), Workers.MAX_THREADS);
    }
    try {
      return Workers.checkThreads(PROPERTY, Integer.parseInt(value.strip()));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s: expected 1 to %d, found %s".formatted(PROPERTY, Workers.MAX_THREADS, value), e);
    }
  }

  // Two hardware threads of one core share its multipliers, so the second one gains nothing. Where
  // the topology cannot be read, or a container gives fewer processors, what the JVM says counts.
  private static int physicalCores() {
    int available = Runtime.getRuntime().availableProcessors();
    Set<String> cores = new HashSet<>();
    try (DirectoryStream<Path> processors =
        Files.newDirectoryStream(Path.of("/sys/devices/system/cpu"), "cpu[0-9]*")) {
      for (Path processor : processors) {
        cores.add(Files.readString(processor.resolve("topology/thread_siblings_list")));
      }
    } catch (IOException | RuntimeException e) {
      return available;
    }
    return cores.isEmpty() ? available : Math.min(available, cores.size());
  }
}
