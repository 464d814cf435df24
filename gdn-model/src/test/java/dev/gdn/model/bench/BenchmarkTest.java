package dev.gdn.model.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.ModelOptions;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.error.ContextFullException;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.synth.TinyCheckpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarkTest {
  private static final ModelOptions OPTIONS = ModelOptions.defaults();

  @TempDir Path folder;

  @Test
  void aModelIsMeasuredAsOftenAsAsked() throws IOException {
    Path file = TinyCheckpoint.write(folder, FileType.Q8_0);
    List<Integer> runs = new ArrayList<>();
    long start = System.nanoTime();
    ModelSpeed speed = new ModelBenchmark(70, 5, 2).measure(file, OPTIONS, runs::add);
    double seconds = (System.nanoTime() - start) * 1e-9;
    assertEquals(List.of(0, 1, 2), runs);
    assertTrue(speed.openSeconds() > 0);
    double accounted =
        speed.openSeconds()
            + speed.coldPromptSeconds()
            + 70 / speed.prefill().mean()
            + 5 / speed.decode().mean();
    assertTrue(accounted > 0 && accounted < seconds, accounted + " of " + seconds);
    assertTrue(speed.memory().heap() > 0);
    assertTrue(speed.memory().resident().orElse(1) <= speed.memory().peakResident().orElse(1));
  }

  @Test
  void theNextTurnAndForksAreMeasured() throws IOException {
    Path file = TinyCheckpoint.write(folder, FileType.Q8_0);
    StateBenchmark.Result result = null;
    boolean sooner = false;
    // Where other work stops one of the runs, its mean says nothing.
    for (int attempt = 0; attempt < 5 && !sooner; attempt++) {
      List<Integer> runs = new ArrayList<>();
      result = new StateBenchmark(400, 2, 3).measure(file, OPTIONS, runs::add);
      assertEquals(List.of(0, 1, 2, 3), runs);
      assertTrue(result.forkSeconds().mean() > 0);
      sooner = result.turnSeconds().mean() < result.againSeconds().mean();
    }
    assertTrue(sooner, result + ": 2 of 402 tokens");
  }

  @Test
  void moreTokensThanTheContextHoldsAreRefused() throws IOException {
    Path file = TinyCheckpoint.write(folder, FileType.Q8_0);
    ModelBenchmark benchmark = new ModelBenchmark(510, 5, 1);
    assertThrows(ContextFullException.class, () -> benchmark.measure(file, OPTIONS, run -> {}));
  }

  @Test
  void aMissingFileAndImpossibleNumbersAreRefused() {
    ModelBenchmark benchmark = new ModelBenchmark(1, 1, 1);
    assertThrows(
        CheckpointException.class,
        () -> benchmark.measure(folder.resolve("none.gguf"), OPTIONS, run -> {}));
    assertThrows(IllegalArgumentException.class, () -> new ModelBenchmark(0, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new ModelBenchmark(1, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> new ModelBenchmark(1, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> new StateBenchmark(0, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new StateBenchmark(1, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> new StateBenchmark(1, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> new RuleBenchmark(0, 1, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new RuleBenchmark(1 << 20, 1024, 1, 1));
  }

  @Test
  void statisticsOfFewNumbers() {
    assertEquals(new Statistics(3, 0), Statistics.of(3));
    assertEquals(new Statistics(4, Math.sqrt(2)), Statistics.of(3, 5));
    assertThrows(IllegalArgumentException.class, Statistics::of);
  }
}
