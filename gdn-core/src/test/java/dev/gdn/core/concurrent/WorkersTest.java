package dev.gdn.core.concurrent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkersTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void everyPartRunsOnceInEveryRun(int threads) {
    try (Workers workers = Workers.of(threads)) {
      for (int run = 0; run < 2000; run++) {
        int[] times = new int[run % 9];
        workers.run(times.length, (part, worker) -> times[part]++);
        int[] once = new int[times.length];
        Arrays.fill(once, 1);
        assertArrayEquals(once, times);
      }
    }
  }

  @Test
  void noTwoPartsRunAtOnceUnderOneWorker() {
    try (Workers workers = Workers.of(3)) {
      AtomicIntegerArray busy = new AtomicIntegerArray(3);
      AtomicInteger clashes = new AtomicInteger();
      for (int run = 0; run < 500; run++) {
        workers.run(
            7,
            (part, worker) -> {
              clashes.addAndGet(busy.getAndIncrement(worker));
              Thread.onSpinWait();
              busy.getAndDecrement(worker);
            });
      }
      assertEquals(0, clashes.get());
    }
  }

  @Test
  void firstFailureIsThrownAndTheOtherPartsRun() {
    try (Workers workers = Workers.of(2)) {
      IllegalStateException failure = new IllegalStateException("part 3");
      AtomicInteger done = new AtomicInteger();
      Workers.Task task =
          (part, worker) -> {
            if (part == 3) {
              throw failure;
            }
            done.incrementAndGet();
          };
      assertSame(failure, assertThrows(IllegalStateException.class, () -> workers.run(8, task)));
      assertEquals(7, done.get());
      // And the pool still works.
      workers.run(8, (part, worker) -> done.incrementAndGet());
      assertEquals(15, done.get());
    }
  }

  @Test
  void runInsideARunAndRunsOfSeveralCallersAreDone() throws InterruptedException {
    try (Workers workers = Workers.of(2)) {
      AtomicInteger done = new AtomicInteger();
      Workers.Task nested =
          (part, worker) -> workers.run(5, (inner, same) -> done.incrementAndGet());
      Thread[] callers = new Thread[3];
      for (int i = 0; i < callers.length; i++) {
        callers[i] =
            new Thread(
                () -> {
                  for (int run = 0; run < 100; run++) {
                    workers.run(4, nested);
                  }
                });
        callers[i].start();
      }
      for (Thread caller : callers) {
        caller.join();
      }
      assertEquals(3 * 100 * 4 * 5, done.get());
    }
  }

  @Test
  void closedPoolRunsOnItsCaller() {
    Workers workers = Workers.of(2);
    workers.close();
    int[] times = new int[4];
    workers.run(4, (part, worker) -> times[part] += worker + 1);
    assertArrayEquals(new int[] {1, 1, 1, 1}, times);
  }

  @Test
  void idleThreadsEndAndComeBack() throws InterruptedException {
    try (Workers workers = Workers.of(3)) {
      Set<Thread> helpers = ConcurrentHashMap.newKeySet();
      runTogether(workers, helpers);
      assertEquals(3, helpers.size());
      helpers.remove(Thread.currentThread());
      for (Thread helper : helpers) {
        helper.join(60_000);
        assertFalse(helper.isAlive());
      }
      Set<Thread> later = ConcurrentHashMap.newKeySet();
      runTogether(workers, later);
      assertEquals(3, later.size());
    }
  }

  // Each part waits for the others, so that each needs a thread of its own.
  private static void runTogether(Workers workers, Set<Thread> threads) {
    CyclicBarrier together = new CyclicBarrier(3);
    workers.run(
        3,
        (part, worker) -> {
          threads.add(Thread.currentThread());
          assertDoesNotThrow(() -> together.await(60, TimeUnit.SECONDS));
        });
  }

  @Test
  void thePoolOfTheProcessStaysOpen() {
    Workers shared = Workers.shared();
    shared.close();
    assertSame(shared, Workers.shared());
    // Each part waits for the other, so one thread alone would wait for ever.
    CountDownLatch together = new CountDownLatch(Math.min(2, shared.threads()));
    shared.run(
        2,
        (part, worker) -> {
          together.countDown();
          assertDoesNotThrow(() -> assertTrue(together.await(30, TimeUnit.SECONDS)));
        });
  }

  @Test
  void aBadPropertyIsRefused() {
    System.setProperty("gdn.threads", "many");
    try {
      String message =
          assertThrows(IllegalArgumentException.class, Processors::configured).getMessage();
      assertEquals("gdn.threads: expected 1 to 512, found many", message);
    } finally {
      System.clearProperty("gdn.threads");
    }
  }

  @Test
  void badSizesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> Workers.of(0));
    assertThrows(IllegalArgumentException.class, () -> Workers.of(Workers.MAX_THREADS + 1));
  }
}
