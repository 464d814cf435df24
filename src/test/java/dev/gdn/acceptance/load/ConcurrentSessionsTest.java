package dev.gdn.acceptance.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Sixteen threads with sessions of their own on one model compute what one alone computes. */
class ConcurrentSessionsTest {
  private static final int THREADS = 16;
  private static final int PROMPT = 70;
  private static final int ANSWER = 10;

  @Test
  void resultsAreThoseOfASoloRun() throws InterruptedException, ExecutionException {
    check(DemoModel.extract());
  }

  @Test
  void soAreThoseOfAMixtureOfExperts() throws InterruptedException, ExecutionException {
    check(Path.of("resources/fixtures/models/qwen3_5_moe"));
  }

  private static void check(Path checkpoint) throws InterruptedException, ExecutionException {
    long duration = Load.nanoseconds(2);
    try (LanguageModel model = LanguageModel.open(checkpoint);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<float[][]> solo = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        solo.add(conversation(model.newSession(), i));
      }
      long start = System.nanoTime();
      List<Callable<Integer>> conversations = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int number = i;
        conversations.add(
            () -> {
              Session session = model.newSession();
              int rounds = 0;
              // At least one, whatever else the machine does.
              do {
                session.clear();
                assertEqual(solo.get(number), conversation(session, number));
                rounds++;
              } while (System.nanoTime() - start < duration);
              return rounds;
            });
      }
      int rounds = 0;
      for (Future<Integer> conversation : threads.invokeAll(conversations)) {
        rounds += conversation.get();
      }
      assertTrue(rounds >= THREADS);
      System.out.printf(
          "%s: %d conversations of %d threads in %.0f s, all as alone%n",
          checkpoint.getFileName(), rounds, THREADS, (System.nanoTime() - start) / 1e9);
    }
  }

  /** Logits after a prompt and after each token of an answer. */
  private static float[][] conversation(Session session, int number) {
    float[][] logits = new float[1 + ANSWER][];
    int[] prompt = new Random(number).ints(PROMPT + number, 0, 256).toArray();
    logits[0] = session.prefill(prompt).clone();
    for (int i = 1; i <= ANSWER; i++) {
      logits[i] = session.decode(largest(logits[i - 1])).clone();
    }
    return logits;
  }

  private static int largest(float[] logits) {
    int largest = 0;
    for (int i = 1; i < logits.length; i++) {
      if (logits[i] > logits[largest]) {
        largest = i;
      }
    }
    return largest;
  }

  private static void assertEqual(float[][] expected, float[][] found) {
    for (int i = 0; i < expected.length; i++) {
      assertArrayEquals(expected[i], found[i]);
    }
  }
}
