package dev.gdn.core.concurrent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkersTest {
  /** Nanoseconds; an idle thread that nothing wakes looks for work by itself after 5 seconds. */
  private static final long AT_ONCE = 2_000_000_000L;

  /** A busy machine may delay one. */
  private static final int ATTEMPTS = 3;

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

  /** What it read of the last run is of other numbers of parts. */
  @Test
  void aLateThreadTakesNoPartOfTheNextRun() {
    try (Workers workers = Workers.of(3)) {
      for (int run = 0; run < 200_000; run++) {
        AtomicIntegerArray times = new AtomicIntegerArray(run % 2 == 0 ? 2 : 40);
        workers.run(times.length(), (part, worker) -> times.incrementAndGet(part));
        for (int part = 0; part < times.length(); part++) {
          assertEquals(1, times.get(part));
        }
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
  void aRunReturnsWhenThePartsOfOtherThreadsAreDone() {
    try (Workers workers = Workers.of(3)) {
      CyclicBarrier together = new CyclicBarrier(3);
      AtomicInteger done = new AtomicInteger();
      workers.run(
          3,
          (part, worker) -> {
            assertDoesNotThrow(() -> together.await(60, TimeUnit.SECONDS));
            if (worker > 0) {
              assertDoesNotThrow(() -> Thread.sleep(50));
            }
            done.incrementAndGet();
          });
      assertEquals(3, done.get());
    }
  }

  @Test
  void noThreadOfAPoolFails() throws InterruptedException {
    Set<Throwable> failures = ConcurrentHashMap.newKeySet();
    ThreadGroup group =
        new ThreadGroup("callers") {
          @Override
          public void uncaughtException(Thread thread, Throwable failure) {
            failures.add(failure);
          }
        };
    Thread caller =
        new Thread(
            group,
            () -> {
              try (Workers workers = Workers.of(3)) {
                helpers(workers);
              }
            });
    caller.start();
    caller.join(60_000);
    // The threads of the pool are of their creator's group, and end when it is closed.
    while (group.activeCount() > 0) {
      Thread.sleep(1);
    }
    assertEquals(Set.of(), failures);
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
  void errorsAreThrownAsTheyAreAndCheckedExceptionsAsACause() {
    try (Workers workers = Workers.of(2)) {
      Error error = new AssertionError("part 0");
      assertSame(
          error, assertThrows(AssertionError.class, () -> workers.run(2, (_, _) -> sneak(error))));
      IOException checked = new IOException("part 0");
      IllegalStateException thrown =
          assertThrows(IllegalStateException.class, () -> workers.run(2, (_, _) -> sneak(checked)));
      assertSame(checked, thrown.getCause());
    }
  }

  // As a task in another language can, or one that hides what it throws.
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Test
  void aPartThatStartsARunDoesItAlone() {
    try (Workers workers = Workers.of(2)) {
      Set<Thread> strangers = ConcurrentHashMap.newKeySet();
      workers.run(
          4,
          (part, worker) -> {
            Thread own = Thread.currentThread();
            workers.run(
                50,
                (inner, same) -> {
                  if (Thread.currentThread() != own || same != 0) {
                    strangers.add(Thread.currentThread());
                  }
                });
          });
      assertEquals(Set.of(), strangers);
    }
  }

  @Test
  void threadsAreNamedDaemons() {
    try (Workers workers = Workers.of(3)) {
      assertEquals(3, workers.threads());
      Set<Thread> helpers = helpers(workers);
      assertEquals(
          Set.of("gdn-worker-1", "gdn-worker-2"),
          helpers.stream().map(Thread::getName).collect(Collectors.toSet()));
      assertTrue(helpers.stream().allMatch(Thread::isDaemon));
    }
  }

  @Test
  void idleThreadsAreKeptForSomeSeconds() throws InterruptedException {
    try (Workers workers = Workers.of(3)) {
      boolean kept = false;
      for (int run = 0; run < ATTEMPTS && !kept; run++) {
        Set<Thread> helpers = helpers(workers);
        awaitIdle(helpers);
        kept = helpers.equals(helpers(workers));
      }
      assertTrue(kept);
    }
  }

  @Test
  void idleThreadsAreWokenByARun() throws InterruptedException {
    try (Workers workers = Workers.of(3)) {
      long fastest = Long.MAX_VALUE;
      for (int run = 0; run < ATTEMPTS; run++) {
        awaitIdle(helpers(workers));
        long start = System.nanoTime();
        helpers(workers);
        fastest = Math.min(fastest, System.nanoTime() - start);
      }
      assertTrue(fastest < AT_ONCE, fastest + " ns");
    }
  }

  @Test
  void closingEndsIdleThreadsAtOnce() throws InterruptedException {
    long fastest = Long.MAX_VALUE;
    for (int run = 0; run < ATTEMPTS; run++) {
      Workers workers = Workers.of(3);
      Set<Thread> helpers = helpers(workers);
      awaitIdle(helpers);
      long start = System.nanoTime();
      workers.close();
      for (Thread helper : helpers) {
        helper.join(60_000);
      }
      fastest = Math.min(fastest, System.nanoTime() - start);
    }
    assertTrue(fastest < AT_ONCE, fastest + " ns");
  }

  private static void awaitIdle(Set<Thread> helpers) throws InterruptedException {
    for (Thread helper : helpers) {
      while (helper.isAlive() && helper.getState() != Thread.State.TIMED_WAITING) {
        Thread.sleep(1);
      }
    }
  }

  /** The threads of a pool of three, but for the caller's. */
  private static Set<Thread> helpers(Workers workers) {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    runTogether(workers, threads);
    assertEquals(3, threads.size());
    threads.remove(Thread.currentThread());
    return threads;
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
      for (Thread helper : helpers(workers)) {
        helper.join(60_000);
        assertFalse(helper.isAlive());
      }
      assertEquals(2, helpers(workers).size());
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

  @ParameterizedTest
  @ValueSource(strings = {"many", "0", "513", "-1", "", "4294967297"})
  void aBadPropertyIsRefused(String value) {
    System.setProperty("gdn.threads", value);
    try {
      String message =
          assertThrows(IllegalArgumentException.class, Processors::configured).getMessage();
      assertEquals("gdn.threads: expected 1 to 512, found " + value, message);
    } finally {
      System.clearProperty("gdn.threads");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", " 7 ", "512"})
  void thePropertySaysHowManyThreads(String value) {
    System.setProperty("gdn.threads", value);
    try {
      assertEquals(Integer.parseInt(value.strip()), Processors.configured());
    } finally {
      System.clearProperty("gdn.threads");
    }
  }

  @Test
  void withoutThePropertyThereIsNoThreadMoreThanProcessors() {
    int threads = Processors.configured();
    int processors = Runtime.getRuntime().availableProcessors();
    assertTrue(threads >= 1 && threads <= processors, threads + " of " + processors);
  }

  @Test
  void badSizesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> Workers.of(0));
    assertThrows(IllegalArgumentException.class, () -> Workers.of(Workers.MAX_THREADS + 1));
  }
}
