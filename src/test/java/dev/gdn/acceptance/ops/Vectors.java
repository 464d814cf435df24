package dev.gdn.acceptance.ops;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.fail;

import dev.gdn.core.kernel.KernelProvider;
import dev.gdn.model.safetensors.SafetensorsFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The files of vectors, each one op or the parts of one. */
final class Vectors {
  private static final Path FOLDER = Path.of("resources/fixtures/ops");

  private Vectors() {}

  static SafetensorsFile open(String name) {
    return SafetensorsFile.open(FOLDER.resolve(name + ".safetensors"));
  }

  /** Names of the files whose metadata give this op, in order. */
  static List<String> ofOp(String op) {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString().replace(".safetensors", ""))
              .filter(name -> isOfOp(name, op))
              .sorted()
              .toList();
      assertFalse(names.isEmpty(), "no vectors of op " + op);
      return names;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOfOp(String name, String op) {
    try (SafetensorsFile file = open(name)) {
      return op.equals(file.metadata().get("op"));
    }
  }

  static List<KernelProvider> kernels() {
    return ServiceLoader.load(KernelProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }

  /** Largest difference, relative to the largest expected value or to 1 if that is more. */
  static double error(double[] expected, float[] actual) {
    if (expected.length != actual.length) {
      fail("expected %d values, found %d".formatted(expected.length, actual.length));
    }
    double largest = 1;
    double error = 0;
    for (int i = 0; i < expected.length; i++) {
      if (!Float.isFinite(actual[i])) {
        return Double.POSITIVE_INFINITY;
      }
      largest = Math.max(largest, Math.abs(expected[i]));
      error = Math.max(error, Math.abs(expected[i] - actual[i]));
    }
    return error / largest;
  }

  static void assertClose(String what, double[] expected, float[] actual, double tolerance) {
    double error = error(expected, actual);
    if (!(error <= tolerance)) {
      fail("%s: relative error %.3g, allowed %.3g".formatted(what, error, tolerance));
    }
  }
}
