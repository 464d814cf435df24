package dev.gdn.acceptance.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.tensor.Shape;
import dev.gdn.model.safetensors.SafetensorsFile;
import dev.gdn.model.safetensors.SafetensorsTensor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the forms of the command do that are used from outside. */
class CommandTest {
  private static final Path CASES = Path.of("resources/fixtures/ops");
  private static final String PROMPT = "Once upon a time there was a king who";
  private static final String CONTINUATION = " was a king,";

  @TempDir Path folder;

  @Test
  void generatePrintsTheTextAloneWhenQuiet() throws Exception {
    Gdn gdn =
        Gdn.run("generate", "--prompt", PROMPT, "--greedy", "--max-tokens", 5, "--quiet")
            .assertDone();
    assertEquals(CONTINUATION + "\n", gdn.out().replace("\r\n", "\n"));
    assertEquals("", gdn.err());
  }

  @Test
  void generateRunsOnScalarKernelsWhereTheVectorApiIsMissing() throws Exception {
    Gdn gdn =
        Gdn.run(List.of(), "generate", "--greedy", "--max-tokens", 5, "Once upon a time there was")
            .assertDone();
    assertTrue(gdn.out().startsWith("Once upon a time there was a "), gdn.out());
    assertEquals(1, gdn.err().lines().filter(line -> line.contains("jdk.incubator")).count());
    assertTrue(gdn.err().contains("4 more tokens in "), gdn.err());
  }

  @Test
  void tokenizePrintsWhatForwardTakes() throws Exception {
    Gdn tokenized = Gdn.run("tokenize", PROMPT).assertDone();
    assertEquals("46,1803,942,258,561,477,307,258,385,277,536", tokenized.out().strip());
    Path out = folder.resolve("logits.safetensors");
    Gdn.run("forward", "--ids", tokenized.out().strip(), "--mode", "mixed:5", "--out", out)
        .assertDone();
    try (SafetensorsFile file = SafetensorsFile.open(out)) {
      SafetensorsTensor logits = file.tensor("logits");
      assertEquals(new Shape(11, 4096), logits.shape());
      assertEquals(307, likeliest(logits.toFloats(), 10 * 4096, 4096));
    }
  }

  @Test
  void inspectTellsTheLayerPlanAndTheMemory() throws Exception {
    String out = Gdn.run("inspect").assertDone().out();
    assertTrue(out.contains("L L L A L L L A"), out);
    assertTrue(out.contains("2.05 MB for each thousand tokens"), out);
  }

  @Test
  void modelsAreQuantisedWhileTheyAreLoaded() throws Exception {
    Path text = Files.writeString(folder.resolve("story.txt"), PROMPT + CONTINUATION);
    List<String> results = new ArrayList<>();
    for (List<Object> quantize :
        List.<List<Object>>of(List.of(), List.of("q8_0"), List.of("Q4_0"))) {
      List<Object> arguments = new ArrayList<>(List.of("perplexity", "--file", text));
      quantize.forEach(type -> arguments.addAll(List.of("--quantize", type)));
      results.add(Gdn.run(arguments.toArray()).assertDone().out());
    }
    assertEquals(3, results.stream().distinct().count(), results.toString());
    Path out = folder.resolve("logits.safetensors");
    Gdn.run("forward", "--ids", "46,1803", "--quantize", "q4_0", "--out", out).assertDone();
    Gdn.run("generate", "--quantize", "q4_k", "text").assertRefused("--quantize", "Q8_0", "q4_k");
    Gdn.run("bench", "-p", 4, "-n", 1, "-r", 1, "--quantize", "q8_0").assertDone();
  }

  @Test
  void perplexityIsTheModels() throws Exception {
    Path text = Files.writeString(folder.resolve("story.txt"), PROMPT + CONTINUATION);
    String out = Gdn.run("perplexity", "--file", text).assertDone().out();
    assertTrue(out.matches("perplexity \\d+\\.\\d+, .*, 15 tokens scored\\R"), out);
  }

  @Test
  void ruleRunsAFolderAndNamesWhatItPassesOver() throws Exception {
    Path in = Files.createDirectory(folder.resolve("in"));
    for (String name : List.of("kv_7_5.safetensors", "norms.safetensors")) {
      Files.copy(CASES.resolve(name), in.resolve(name));
    }
    Path out = folder.resolve("out");
    Gdn gdn = Gdn.run("rule", "--in", in, "--out", out, "--form", "recurrent").assertDone();
    assertEquals(1, gdn.out().lines().filter(line -> line.contains("norms.safetensors")).count());
    try (SafetensorsFile result = SafetensorsFile.open(out.resolve("kv_7_5.safetensors"));
        SafetensorsFile expected = SafetensorsFile.open(in.resolve("kv_7_5.safetensors"))) {
      for (String name : List.of("o", "final_state")) {
        assertEquals(expected.tensor(name).shape(), result.tensor(name).shape());
        assertArrayEquals(
            expected.tensor(name).toFloats(), result.tensor(name).toFloats(), 2e-5f, name);
      }
    }
    assertEquals(1, Files.list(out).count());
  }

  @Test
  void everyCommandHelps() throws Exception {
    String out = Gdn.run("--help").assertDone().out();
    for (String command :
        List.of("generate", "forward", "rule", "perplexity", "tokenize", "inspect")) {
      assertTrue(out.contains("  " + command + " "), out);
    }
    assertTrue(Gdn.run("rule", "--version").assertDone().out().startsWith("gdn "));
  }

  private static int likeliest(float[] values, int from, int count) {
    int best = 0;
    for (int i = 1; i < count; i++) {
      if (values[from + i] > values[from + best]) {
        best = i;
      }
    }
    return best;
  }
}
