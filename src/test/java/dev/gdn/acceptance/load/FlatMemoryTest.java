package dev.gdn.acceptance.load;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Session;
import dev.gdn.model.TextGenerator;
import dev.gdn.model.generation.GenerationOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Generation across many sessions leaves heap, memory of the process and threads where they are.
 */
class FlatMemoryTest {
  private static final int SAMPLES = 40;
  private static final int ANSWER = 30;
  private static final long MEGABYTE = 1 << 20;

  /** States are kept for later prompts up to so much, which is soon full. */
  private static final long SNAPSHOTS = 16 * MEGABYTE;

  /** The heap also holds what the tests' own JVM keeps; compiled code and stacks come and go. */
  private static final long HEAP_MARGIN = 4 * MEGABYTE;

  private static final long RESIDENT_MARGIN = 64 * MEGABYTE;

  @TempDir private Path folder;

  /** What the process has, bytes and threads. */
  private record Sample(long heap, long resident, long threads) {
    static Sample now() throws IOException {
      System.gc();
      return new Sample(
          ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
          residentBytes(),
          ManagementFactory.getThreadMXBean().getThreadCount());
    }

    // Linux only; elsewhere the heap and the threads are what is compared.
    private static long residentBytes() throws IOException {
      Path status = Path.of("/proc/self/status");
      if (!Files.exists(status)) {
        return 0;
      }
      try (var lines = Files.lines(status)) {
        String line = lines.filter(l -> l.startsWith("VmRSS:")).findFirst().orElseThrow();
        return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
  }

  @Test
  void heapMemoryAndThreadsStayFlat() throws IOException {
    long duration = Load.nanoseconds(6);
    List<Sample> samples = new ArrayList<>();
    int conversations = 0;
    long start = System.nanoTime();
    ModelOptions options = ModelOptions.defaults().withSnapshotBytes(SNAPSHOTS);
    try (LanguageModel model = LanguageModel.open(DemoModel.extract(), options)) {
      while (samples.size() < SAMPLES) {
        long next = (samples.size() + 1) * duration / SAMPLES;
        do {
          converse(model, conversations++);
        } while (System.nanoTime() - start < next);
        samples.add(Sample.now());
      }
    }
    System.out.printf(
        "%d conversations in %.0f s; MB of heap %s; resident %s; threads %s%n",
        conversations,
        (System.nanoTime() - start) / 1e9,
        shown(samples, sample -> sample.heap / MEGABYTE),
        shown(samples, sample -> sample.resident / MEGABYTE),
        shown(samples, Sample::threads));
    assertFlat("heap", samples, Sample::heap, HEAP_MARGIN);
    assertFlat("resident memory", samples, Sample::resident, RESIDENT_MARGIN);
    assertFlat("threads", samples, Sample::threads, 1);
  }

  /** A conversation of its own that is forked, saved and gone on with from the file. */
  private void converse(LanguageModel model, int number) throws IOException {
    int[] prompt =
        model.tokenizer().encode("Story %d. Once upon a time there was a ".formatted(number));
    Session session = model.newSession();
    GenerationOptions options = GenerationOptions.defaults().withMaxTokens(ANSWER).withSeed(number);
    new TextGenerator(model, session).generate(prompt, options, event -> {});
    Session fork = session.fork();
    fork.decode(1);
    Path file = folder.resolve("session");
    session.save(file);
    fork.load(file);
    fork.decode(2);
  }

  private static String shown(List<Sample> samples, ToLongFunction<Sample> value) {
    List<Long> values = samples.stream().map(value::applyAsLong).toList();
    return "%d at first, %d half-way, %d at the end, from %d to %d"
        .formatted(
            values.getFirst(),
            values.get(SAMPLES / 2),
            values.getLast(),
            values.stream().mapToLong(v -> v).min().orElseThrow(),
            values.stream().mapToLong(v -> v).max().orElseThrow());
  }

  /** The last quarter is no larger than the third, on average. */
  private static void assertFlat(
      String what, List<Sample> samples, ToLongFunction<Sample> value, long margin) {
    double before = mean(samples.subList(SAMPLES / 2, SAMPLES * 3 / 4), value);
    double after = mean(samples.subList(SAMPLES * 3 / 4, SAMPLES), value);
    assertTrue(after <= before + margin, what + " grew from " + before + " to " + after);
  }

  private static double mean(List<Sample> samples, ToLongFunction<Sample> value) {
    return samples.stream().mapToLong(value).average().orElseThrow();
  }
}
