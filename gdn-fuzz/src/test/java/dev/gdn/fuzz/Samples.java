package dev.gdn.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Valid inputs of this project's other tests, for a fuzzer to begin with. */
final class Samples {
  private static final Path ACCEPTANCE = Path.of("../src/test/resources/fixtures");
  private static final Path MODEL = Path.of("../gdn-model/src/test/resources/dev/gdn/model");

  private Samples() {}

  /** A file of the acceptance tests. */
  static Path acceptance(String name) {
    return ACCEPTANCE.resolve(name);
  }

  /** A file of gdn-model's tests. */
  static Path model(String name) {
    return MODEL.resolve(name);
  }

  /** What files of one name hold, one in each model's folder of the acceptance tests. */
  static Stream<byte[]> ofModels(String name) {
    try (Stream<Path> folders = Files.list(acceptance("models"))) {
      return folders.sorted().map(folder -> bytes(folder.resolve(name))).toList().stream();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
