package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.QUARTER_BYTES;

import dev.gdn.core.tensor.DataType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import jdk.incubator.vector.ByteVector;

/**
 * Has the innermost loops compiled before a session needs them.
 *
 * <p>Until C2 has compiled a loop on the Vector API, each operation in it is a call that allocates,
 * some hundred times slower; and these calls have C2 compile the API's own fallback code, which
 * nothing needs later. While more than five methods wait for C2, the JVM compiles others without
 * the counters that C2 asks for (tier 2 instead of 3), so that a loop met then is late once more.
 * So every loop is called first with nothing to do, until it has its counters; then a few times
 * with something to do, for C2 drops code that it has never seen run; then with nothing again,
 * until C2 takes it up, which it does after 5,000 calls.
 */
final class WarmUp {
  // The JVM looks at the counters of an interpreted method every 128 calls, and takes 200 for
  // enough where it is not busy.
  private static final int FIRST_CALLS = 1000;
  private static final long FIRST_PAUSE_MILLIS = 40;
  private static final int WORKING_CALLS = 2;
  // It looks at those of a compiled one every 1,024 calls.
  private static final int CALLS = 6000;
  // For the JVM to keep a profile; 1,000 and 5,000 did as well.
  private static final int SHOWN = 2000;
  // Of the methods that wait, C2 takes the one that is called most.
  private static final int CALLS_WHILE_WAITING = 1000;
  private static final long PAUSE_MILLIS = 2;

  /** A call with something to do takes less once it is compiled, and a multiple before. */
  private static final long COMPILED_NANOS = 5_000;

  /** How long is waited for C2, which may be switched off. */
  private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  /** How long after what few tokens meet the rest is compiled, if it is not needed before. */
  private static final long IDLE_MILLIS = 300;

  private static final Executor THREADS =
      task -> Thread.ofPlatform().daemon().name("gdn-warm-up").start(task);
  private static final Set<DataType> TYPES = EnumSet.noneOf(DataType.class);
  // Opened by the first product with many tokens.
  private static final CountDownLatch MANY = new CountDownLatch(1);
  private static volatile CompletableFuture<Void> forFew;
  private static CompletableFuture<Void> forMany;
  // What the next product waits for; null if for nothing.
  private static volatile CompletableFuture<Void> awaitedByFew;
  private static volatile CompletableFuture<Void> awaitedByMany;

  private WarmUp() {}

  /**
   * Starts on threads of its own, for each loop once in the life of the process: with those that
   * every model needs, and those for weights of some types. What few tokens meet comes first; what
   * many meet not before they come, or the processors had time for it.
   */
  static synchronized void start(Set<DataType> types) {
    if (forFew == null) {
      forFew = started(weights -> WarmUpLoops.ofFew());
      forMany = startedLate(weights -> WarmUpLoops.ofMany());
    }
    List<DataType> others = types.stream().filter(TYPES::add).toList();
    if (!others.isEmpty()) {
      forFew =
          CompletableFuture.allOf(forFew, started(weights -> WarmUpLoops.ofFew(others, weights)));
      forMany =
          CompletableFuture.allOf(
              forMany, startedLate(weights -> WarmUpLoops.ofMany(others, weights)));
    }
    awaitedByFew = forFew;
    awaitedByMany = forMany;
  }

  private static CompletableFuture<Void> started(Function<MemorySegment, List<WarmUpLoop>> loops) {
    return CompletableFuture.runAsync(() -> run(loops), THREADS);
  }

  private static CompletableFuture<Void> startedLate(
      Function<MemorySegment, List<WarmUpLoop>> loops) {
    return CompletableFuture.runAsync(
        () -> {
          awaitMany();
          run(loops);
        },
        THREADS);
  }

  /** Waits for many tokens, or until nothing more is compiled for few. */
  private static void awaitMany() {
    boolean met = false;
    CompletableFuture<Void> before = null;
    while (!met && before != forFew) {
      before = forFew;
      waitFor(before);
      try {
        met = MANY.await(IDLE_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /**
   * Waits for what few tokens meet, for a limited time. To compute meanwhile would be slower:
   * workers would take the processors from C2, and give it fallback code to compile.
   */
  static void awaitForFew() {
    CompletableFuture<Void> unfinished = awaitedByFew;
    if (unfinished != null) {
      waitFor(unfinished);
      awaitedByFew = null;
    }
  }

  /** The same for what many tokens meet. */
  static void awaitForMany() {
    CompletableFuture<Void> unfinished = awaitedByMany;
    if (unfinished != null) {
      MANY.countDown();
      waitFor(unfinished);
      awaitedByMany = null;
    }
  }

  private static void waitFor(CompletableFuture<Void> unfinished) {
    try {
      unfinished.get(LIMIT_NANOS, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // The first tokens are slow then, and no more than that.
    }
  }

  // Compiled code knows segments by the class and the arena it has seen: they are to be those of
  // a checkpoint's file. One of another kind, even here, halved the speed of the loops over rows.
  static void run(Function<MemorySegment, List<WarmUpLoop>> loops) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment weights = mapped(arena);
      showKindOfSegment(weights);
      compile(loops.apply(weights));
    }
  }

  /**
   * Vector loads of all types and loops share the code that asks a segment for its address. Where
   * C2 does not find in that code's profile which class of segment comes, it leaves a call there.
   */
  private static void showKindOfSegment(MemorySegment weights) {
    byte[] bytes = new byte[QUARTER_BYTES.length()];
    // Loads the class of segments over arrays, on which the API falls back. If it came later,
    // what C2 has compiled without it would be thrown away.
    MemorySegment.ofArray(bytes);
    for (int i = 0; i < SHOWN; i++) {
      ByteVector.fromMemorySegment(QUARTER_BYTES, weights, 0, ORDER).intoArray(bytes, 0);
    }
  }

  private static MemorySegment mapped(Arena arena) {
    Path file = Path.of(System.getProperty("java.home"), "lib", "modules");
    try (FileChannel channel = FileChannel.open(file)) {
      return channel.map(MapMode.READ_ONLY, 0, WarmUpLoops.WEIGHT_BYTES, arena);
    } catch (IOException e) {
      return arena.allocate(WarmUpLoops.WEIGHT_BYTES);
    }
  }

  private static void compile(List<WarmUpLoop> loops) {
    long start = System.nanoTime();
    loops.forEach(loop -> callIdle(loop, FIRST_CALLS));
    pause(FIRST_PAUSE_MILLIS);
    for (WarmUpLoop loop : loops) {
      for (int i = 0; i < WORKING_CALLS; i++) {
        loop.run(WarmUpLoops.STEPS);
      }
      callIdle(loop, CALLS);
    }
    List<WarmUpLoop> waiting = new ArrayList<>(loops);
    while (System.nanoTime() - start < LIMIT_NANOS && !waiting.isEmpty()) {
      waiting.removeIf(WarmUp::isCompiled);
      waiting.forEach(loop -> callIdle(loop, CALLS_WHILE_WAITING));
      pause(PAUSE_MILLIS);
    }
  }

  private static boolean isCompiled(WarmUpLoop loop) {
    long start = System.nanoTime();
    loop.run(WarmUpLoops.STEPS);
    return System.nanoTime() - start < COMPILED_NANOS;
  }

  private static void callIdle(WarmUpLoop loop, int calls) {
    for (int i = 0; i < calls; i++) {
      loop.run(0);
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
