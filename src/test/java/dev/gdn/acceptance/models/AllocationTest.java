package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.gdn.core.concurrent.Workers;
import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Session;
import dev.gdn.model.WeightPlacement;
import dev.gdn.model.convert.HubToGguf;
import dev.gdn.model.gguf.FileType;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A warm decode step on the vector kernels leaves nothing for the garbage collector. */
class AllocationTest {
  private static final long MOST_BYTES = 1024;
  private static final int STEPS = 50;
  private static final long LONGEST_NANOSECONDS = 60_000_000_000L;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /**
   * How soon C2 is through with the kernels depends on the machine and on what else it does, so the
   * test goes on until a window of steps is below the limit, but no longer than a minute.
   */
  @Test
  void warmDecodeAllocatesLessThanAKilobyteATokenOnAllThreads() {
    assertAllocatesLittle(DemoModel.extract());
  }

  @Test
  void soDoesThatOfAMixtureOfExperts() {
    assertAllocatesLittle(Path.of("resources/fixtures/models/qwen3_5_moe"));
  }

  @ParameterizedTest
  @EnumSource(
      value = WeightPlacement.class,
      names = {"MAPPED", "ARRANGED"})
  void soDoesThatOfFourBitWeights(WeightPlacement placement, @TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("demo-Q4_0.gguf");
    HubToGguf.convert(
        DemoModel.extract(), FileType.Q4_0, file, Workers.shared(), (bytes, total) -> {});
    assertAllocatesLittle(file, placement);
  }

  private void assertAllocatesLittle(Path checkpoint) {
    assertAllocatesLittle(checkpoint, WeightPlacement.AUTO);
  }

  private void assertAllocatesLittle(Path checkpoint, WeightPlacement placement) {
    try (Workers workers = Workers.of(2);
        LanguageModel model =
            LanguageModel.open(
                checkpoint,
                ModelOptions.defaults()
                    .withKernels("vector")
                    .withWorkers(workers)
                    .withPlacement(placement))) {
      Session session = model.newSession();
      long least = Long.MAX_VALUE;
      long start = System.nanoTime();
      while (least > MOST_BYTES * STEPS && System.nanoTime() - start < LONGEST_NANOSECONDS) {
        // The cache of keys and values, which grows with the sequence, is kept.
        session.clear();
        session.prefill(1, 2, 3);
        long before = threads.getTotalThreadAllocatedBytes();
        for (int i = 0; i < STEPS; i++) {
          session.decode(i);
        }
        least = Math.min(least, threads.getTotalThreadAllocatedBytes() - before);
      }
      long found = least / STEPS;
      assertTrue(
          found <= MOST_BYTES,
          () -> "bytes a token: expected at most %d, found %d".formatted(MOST_BYTES, found));
    }
  }
}
