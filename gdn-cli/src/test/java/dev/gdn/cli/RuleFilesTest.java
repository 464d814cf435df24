package dev.gdn.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.tensor.Shape;
import dev.gdn.model.safetensors.SafetensorsWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that the rule is run on, and where its results may go. */
class RuleFilesTest {
  private static final String OPERATION = "gated_delta_rule";

  @TempDir Path folder;
  private Path file;
  private Path out;

  @BeforeEach
  void names() {
    file = folder.resolve("case.safetensors");
    out = folder.resolve("out.safetensors");
  }

  /** Writes a case of one token and one head, of width 1, with one tensor's value replaced. */
  private void write(String scale, Map<String, Float> values) throws IOException {
    SafetensorsWriter writer = new SafetensorsWriter().metadata("op", OPERATION);
    writer.metadata("scale", scale);
    for (String name : new String[] {"q", "k", "v", "initial_state"}) {
      writer.add(name, new Shape(1, 1, 1, 1), new float[] {values.getOrDefault(name, 1f)});
    }
    writer.add("beta", new Shape(1, 1, 1), new float[] {1});
    writer.write(file);
  }

  @Test
  void inputIsNeverReplaced() throws IOException {
    write("1", Map.of());
    byte[] before = Files.readAllBytes(file);
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    Called.with("rule", "--in", file, "--out", file).assertRefused("--out", "--in", file);
    Called.with("rule", "--in", file, "--out", folder).assertRefused("--out", "--in", file);
    Called.with("rule", "--in", file, "--out", link).assertRefused("--out", "--in", link);
    Called.with("rule", "--in", folder, "--out", folder).assertRefused("--out", "--in", folder);
    assertArrayEquals(before, Files.readAllBytes(file));
    Called.with("rule", "--in", file, "--out", out).assertDone();
  }

  @Test
  void resultsInAFolderOfTheCasesAreReplacedByLaterOnes() throws IOException {
    write("1", Map.of());
    Path results = folder.resolve("results");
    Called.with("rule", "--in", folder, "--out", results).assertDone();
    byte[] first = Files.readAllBytes(results.resolve("case.safetensors"));
    write("2", Map.of());
    Called.with("rule", "--in", folder, "--out", results).assertDone();
    assertFalse(Arrays.equals(first, Files.readAllBytes(results.resolve("case.safetensors"))));
  }

  @Test
  void aBadCaseDoesNotKeepTheOthersFromBeingRun() throws IOException {
    write("1", Map.of("q", Float.NaN));
    Path in = Files.createDirectory(folder.resolve("in"));
    Files.move(file, in.resolve("b.safetensors"));
    Files.writeString(in.resolve("a.safetensors"), "no safetensors");
    write("1", Map.of());
    Files.copy(file, in.resolve("0.safetensors"));
    Files.move(file, in.resolve("c.safetensors"));
    new SafetensorsWriter().metadata("op", "softmax").write(in.resolve("d.safetensors"));
    Path results = folder.resolve("results");
    Called rule = Called.with("rule", "--in", in, "--out", results);
    assertEquals(2, rule.code());
    List<String> said = rule.err().lines().toList();
    assertEquals(3, said.size(), rule.err());
    assertTrue(said.get(0).startsWith("gdn: " + in.resolve("a.safetensors")), rule.err());
    assertTrue(said.get(1).startsWith("gdn: " + in.resolve("b.safetensors")), rule.err());
    assertEquals("gdn: " + in + ": 2 of 5 cases could not be run", said.get(2));
    assertTrue(rule.out().startsWith("d.safetensors: passed over"), rule.out());
    try (Stream<Path> files = Files.list(results)) {
      assertEquals(
          List.of(results.resolve("0.safetensors"), results.resolve("c.safetensors")),
          files.sorted().toList());
    }
  }

  @Test
  void noEarlierResultIsLeftForACaseThatTurnsOutBad() throws IOException {
    Path in = Files.createDirectory(folder.resolve("in"));
    Path results = Files.createDirectory(folder.resolve("results"));
    write("1", Map.of());
    Files.copy(file, in.resolve("a.safetensors"));
    Files.copy(file, in.resolve("b.safetensors"));
    Files.copy(file, in.resolve("c.safetensors"));
    Files.createSymbolicLink(results.resolve("b.safetensors"), in.resolve("c.safetensors"));
    Files.createDirectory(results.resolve("d.safetensors"));
    Files.writeString(in.resolve("d.safetensors"), "no safetensors");
    assertEquals(2, Called.with("rule", "--in", in, "--out", results).code());
    assertTrue(Files.exists(results.resolve("a.safetensors")));
    write("1", Map.of("q", Float.NaN));
    Files.move(file, in.resolve("a.safetensors"), StandardCopyOption.REPLACE_EXISTING);
    Called rule = Called.with("rule", "--in", in, "--out", results);
    assertEquals(2, rule.code());
    assertTrue(rule.err().contains("3 of 4 cases could not be run"), rule.err());
    assertFalse(Files.exists(results.resolve("a.safetensors")));
    // What is no result of this command stays: a case that a link leads to, a folder.
    assertTrue(Files.exists(results.resolve("b.safetensors")));
    assertTrue(Files.exists(results.resolve("d.safetensors")));
    assertTrue(Files.exists(in.resolve("c.safetensors")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"q", "k", "v", "initial_state"})
  void valuesThatAreNotFiniteAreRefused(String tensor) throws IOException {
    for (float value : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
      write("1", Map.of(tensor, value));
      Called.with("rule", "--in", file, "--out", out)
          .assertRefused(file, "tensor " + tensor + ": expected finite", value);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1f", "0x1p3", "NaN", "Infinity", "1e99", " 1", "", "1d", "--1"})
  void scalesThatAreNoDecimalNumberAreRefused(String scale) throws IOException {
    write(scale, Map.of());
    Called.with("rule", "--in", file, "--out", out).assertRefused(file, "scale", "number");
  }

  @Test
  void filesThatAreNoCasesAreRefused() throws IOException {
    new SafetensorsWriter().add("q", new Shape(1), new float[] {1}).write(file);
    Called.with("rule", "--in", file, "--out", out)
        .assertRefused(file, "metadata op: expected " + OPERATION, "found no such key");
    new SafetensorsWriter().metadata("op", "softmax").write(file);
    Called.with("rule", "--in", file, "--out", out).assertRefused(file, "found softmax");
    Files.writeString(file, "{\"op\": \"gated_delta_rule\"}");
    Called.with("rule", "--in", file, "--out", out).assertRefused(file, "no safetensors file");
  }

  @Test
  void statesTooLargeForTheMemoryAreRefused() throws IOException {
    SafetensorsWriter writer = new SafetensorsWriter().metadata("op", OPERATION);
    for (String name : new String[] {"q", "k", "v"}) {
      writer.add(name, new Shape(1, 0, 127, 4096), new float[0]);
    }
    writer.add("beta", new Shape(1, 0, 127), new float[0]);
    writer.write(file);
    Called.with("rule", "--in", file, "--out", out).assertRefused(file, "memory", "-Xmx");
  }

  @Test
  void inspectTellsFilesByWhatTheyHold() throws IOException {
    write("1", Map.of());
    Path unnamed = Files.copy(file, folder.resolve("unnamed"));
    String out = Called.with("inspect", unnamed).assertDone().out();
    assertTrue(out.contains("initial_state F32 [1, 1, 1, 1]"), out);
    Path neither = Files.writeString(folder.resolve("neither"), "neither one nor the other");
    Called.with("inspect", neither).assertRefused(neither, "GGUF", "safetensors");
  }
}
