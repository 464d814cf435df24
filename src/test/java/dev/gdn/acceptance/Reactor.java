package dev.gdn.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The project's own files, for tests that look at them. */
final class Reactor {
  /** Tests run in the folder of their module, {@code src/test}. */
  static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

  private Reactor() {}

  /** Every Java source of the project, tests and examples included. */
  static List<Path> javaSources() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .filter(Files::isDirectory)
          .filter(folder -> !folder.getFileName().toString().startsWith("."))
          .flatMap(Reactor::javaSourcesIn)
          .sorted()
          .toList();
    }
  }

  private static Stream<Path> javaSourcesIn(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !isBuilt(file))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isBuilt(Path file) {
    for (Path part : ROOT.relativize(file)) {
      if (part.toString().equals("target")) {
        return true;
      }
    }
    return false;
  }
}
