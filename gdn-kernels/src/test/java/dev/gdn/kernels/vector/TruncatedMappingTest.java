package dev.gdn.kernels.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.tensor.DataType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Test;

/** A mapped file that is cut short gives an error that can be caught, for every stored type. */
class TruncatedMappingTest {
  @Test
  void isAFaultAndNotTheEndOfTheJvm() throws IOException, InterruptedException {
    int width = FloatVector.SPECIES_PREFERRED.vectorBitSize();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xbatch",
                "-XX:+IgnoreUnrecognizedVMOptions",
                "-XX:UseAVX=" + (width == 512 ? 3 : width / 128),
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=/dev/null",
                "--add-modules",
                "jdk.incubator.vector",
                "-cp",
                System.getProperty("java.class.path"),
                TruncatedMapping.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    List<String> expected =
        Arrays.stream(DataType.values())
            .flatMap(type -> Stream.of(type + " decode: fault", type + " dot: fault"))
            .toList();
    assertEquals(expected, out.lines().toList());
    assertEquals(0, process.waitFor());
  }
}
