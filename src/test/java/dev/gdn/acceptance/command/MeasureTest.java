package dev.gdn.acceptance.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that measure speed, and GGUF files given to those that take a model. */
class MeasureTest {
  private static final Path FILE = Path.of("resources/fixtures/gguf/qwen35-F32.gguf");

  @TempDir Path folder;

  private static JsonNode lastLine(Gdn gdn) throws Exception {
    List<String> lines = gdn.assertDone().out().lines().toList();
    return new ObjectMapper().readTree(lines.getLast());
  }

  private static void assertPositive(JsonNode figures, String... names) {
    for (String name : names) {
      assertTrue(figures.path(name).asDouble() > 0, name + " in " + figures);
    }
  }

  @Test
  void benchMeasuresAModel() throws Exception {
    Gdn gdn = Gdn.run("bench", "--model", FILE, "-p", 16, "-n", 3, "-r", 2, "-t", 2, "--json");
    JsonNode figures = lastLine(gdn);
    assertPositive(
        figures,
        "prefill_tokens_per_second",
        "decode_tokens_per_second",
        "cold_prompt_seconds",
        "heap_bytes");
    assertEquals(2, figures.get("threads").asInt());
    assertEquals(16, figures.get("prompt_tokens").asInt());
    assertTrue(gdn.out().contains("prefill, tokens/s "), gdn.out());
  }

  @Test
  void benchMeasuresTheRule() throws Exception {
    Gdn gdn =
        Gdn.run(
            "bench",
            "--rule",
            "--tokens",
            70,
            "--heads",
            2,
            "--dim",
            16,
            "-t",
            1,
            "-r",
            1,
            "--json");
    assertTrue(gdn.err().contains("runs are too short for figures that hold"), gdn.err());
    assertPositive(
        lastLine(gdn),
        "us_per_token_head",
        "us_per_token_head_key_gates",
        "us_per_token_head_sharded",
        "us_per_step_head");
  }

  @Test
  void badInputIsRefused() throws Exception {
    Path missing = folder.resolve("missing.gguf");
    Gdn.run("bench", "--model", missing).assertRefused(missing, "found nothing");
    Gdn.run("bench", "--model", FILE, "-t", 0).assertRefused("threads: expected 1 to 512, found 0");
    Gdn.run("bench", "--rule", "-t", 10_000).assertRefused("threads", "10000");
    Gdn.run("bench", "--model", FILE, "-p", 5000).assertRefused("context", "5000");
    Gdn.run("synth", "--shape", "qwen3.5-1t", "--out", missing)
        .assertRefused("shape", "qwen3.5-0.8b", "qwen3.5-1t");
    Gdn.run("synth", "--shape", "qwen3.5-0.8b", "--type", "Q9", "--out", missing)
        .assertRefused("--type", "Q8_0", "Q9");
    Gdn.run("synth", "--shape", "qwen3.5-35b-a3b", "--layers", 41, "--out", missing)
        .assertRefused("layers: expected 1 to 40, found 41");
  }

  @Test
  void ggufFilesAreModelsToEveryCommand() throws Exception {
    assertTrue(Gdn.run("inspect", FILE).assertDone().out().contains("L L L A"));
    Path out = folder.resolve("logits.safetensors");
    Gdn.run("forward", "--model", FILE, "--ids", "1,2,3", "--out", out).assertDone();
  }
}
