package dev.gdn.core.concurrent;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A fixed pool of named daemon platform threads that a calling thread shares its work with. The
 * caller is worker 0; the pool's own threads are workers 1 to {@code threads() - 1}. Safe to share:
 * while one caller has the pool, others run their work on their own thread alone, so that
 * conversations on several threads keep all processors busy without waiting for each other.
 *
 * <p>A thread of the pool ends when there was nothing to do for some seconds, and is started again
 * by the next run, so that a program which drops the library, as a server does with an application,
 * keeps neither its threads nor its classes.
 *
 * <p>A run allocates nothing.
 */
public final class Workers implements AutoCloseable {
  /** The most threads a pool takes. */
  public static final int MAX_THREADS = 512;

  /** Work in numbered parts that do not depend on each other. */
  @FunctionalInterface
  public interface Task {
    /**
     * Does one part.
     *
     * @param part from 0 to the run's parts - 1
     * @param worker from 0 to {@code threads() - 1}; no two parts run at once under one number
     */
    void run(int part, int worker);
  }

  private static final int SPINS = 4_000;
  private static final int NO_PART = Integer.MAX_VALUE;
  private static final long IDLE_NANOSECONDS = 5_000_000_000L;

  /** Elements between two workers' claims: two cache lines, as they are fetched in pairs. */
  private static final int APART = 16;

  private static Workers shared;

  private final int threads;
  private final boolean permanent;
  private final Helper[] helpers;
  private final ReentrantLock owner = new ReentrantLock();

  /**
   * For each worker the run's number in the upper half, its next unclaimed part in the lower. A
   * part is claimed by compare-and-set, so that a late helper cannot take a part of the next run
   * with what it read of the last one: before task and parts are replaced, all lower halves are set
   * to {@link #NO_PART}.
   */
  private final AtomicLongArray claims;

  private final AtomicInteger pending = new AtomicInteger();
  private volatile Task task;
  private volatile int parts;
  private volatile Throwable failure;
  private volatile boolean closed;

  private Workers(int threads, boolean permanent) {
    this.threads = threads;
    this.permanent = permanent;
    this.claims = new AtomicLongArray(threads * APART);
    this.helpers = new Helper[threads - 1];
    for (int i = 0; i < helpers.length; i++) {
      helpers[i] = new Helper(i + 1);
      helpers[i].start();
    }
  }

  /**
   * The pool of the process: one thread for each physical core, or as many as the system property
   * {@code gdn.threads} says. It is never closed.
   *
   * @throws IllegalArgumentException if the property is no number from 1 to {@link #MAX_THREADS}
   */
  public static synchronized Workers shared() {
    if (shared == null) {
      shared = new Workers(Processors.configured(), true);
    }
    return shared;
  }

  /**
   * A pool of its own.
   *
   * @throws IllegalArgumentException if {@code threads} is not from 1 to {@link #MAX_THREADS}
   */
  public static Workers of(int threads) {
    return new Workers(checkThreads("threads", threads), false);
  }

  static int checkThreads(String what, int threads) {
    if (threads < 1 || threads > MAX_THREADS) {
      throw new IllegalArgumentException(
          "%s: expected 1 to %d, found %d".formatted(what, MAX_THREADS, threads));
    }
    return threads;
  }

  /** Threads that work on a run, the caller's included. */
  public int threads() {
    return threads;
  }

  /**
   * Runs every part and returns when all are done. Each worker begins with a range of neighbouring
   * parts, in order, so that it reads memory of its own: parts that lie in turn with another's are
   * fetched by one processor's read-ahead and wanted by the other. If a part throws, its exception,
   * or that of one of them, is thrown again here when no part is running any more; whether all
   * others have run then is open.
   */
  public void run(int parts, Task task) {
    if (parts <= 1 || helpers.length == 0 || closed || !enter()) {
      for (int part = 0; part < parts; part++) {
        task.run(part, 0);
      }
      return;
    }
    try {
      long run = runOf(0) + 1;
      for (int w = 0; w < threads; w++) {
        claims.set(w * APART, run - 1 << 32 | NO_PART);
      }
      this.task = task;
      this.parts = parts;
      this.failure = null;
      pending.set(parts);
      for (int w = 0; w < threads; w++) {
        claims.set(w * APART, run << 32 | firstPart(w, parts));
      }
      for (int i = 0; i < helpers.length && i < parts - 1; i++) {
        wake(i);
      }
      try {
        work(0);
      } finally {
        await();
      }
      Throwable thrown = failure;
      this.task = null;
      if (thrown != null) {
        throw sneak(thrown);
      }
    } finally {
      owner.unlock();
    }
  }

  // One that ends just now is missed: then the others do its parts.
  private void wake(int helper) {
    if (helpers[helper].ended) {
      helpers[helper] = new Helper(helper + 1);
      helpers[helper].start();
    } else {
      helpers[helper].wake();
    }
  }

  // A part that starts a run of its own does it alone.
  private boolean enter() {
    return !owner.isHeldByCurrentThread()
        && !(Thread.currentThread() instanceof Helper)
        && owner.tryLock();
  }

  /** Does the worker's own parts, then what others have left of theirs. */
  private void work(int worker) {
    for (int i = 0; i < threads; i++) {
      int owner = worker + i < threads ? worker + i : worker + i - threads;
      workOnPartsOf(owner, worker);
    }
  }

  private void workOnPartsOf(int owner, int worker) {
    while (true) {
      long ticket = claims.get(owner * APART);
      Task current = task;
      int part = (int) ticket;
      if (current == null || part >= firstPart(owner + 1, parts)) {
        return;
      }
      if (claims.compareAndSet(owner * APART, ticket, ticket + 1)) {
        try {
          current.run(part, worker);
        } catch (Throwable e) {
          if (failure == null) {
            failure = e;
          }
        } finally {
          pending.decrementAndGet();
        }
      }
    }
  }

  private int firstPart(int worker, int parts) {
    return (int) ((long) parts * worker / threads);
  }

  private long runOf(int worker) {
    return claims.get(worker * APART) >>> 32;
  }

  private void await() {
    for (int spins = 0; pending.get() > 0; spins++) {
      if (spins < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  private static RuntimeException sneak(Throwable thrown) {
    return switch (thrown) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new IllegalStateException(thrown);
    };
  }

  /**
   * Ends the pool's threads; later runs are done by their callers alone. May be called again; on
   * {@linkplain #shared() the pool of the process} it does nothing.
   */
  @Override
  public void close() {
    if (permanent) {
      return;
    }
    closed = true;
    for (Helper helper : helpers) {
      LockSupport.unpark(helper);
    }
  }

  private final class Helper extends Thread {
    private final int worker;
    private volatile boolean parked;
    private volatile boolean ended;

    // Without what the caller's thread hands down, which it may not outlive.
    Helper(int worker) {
      super(null, null, "gdn-worker-" + worker, 0, false);
      this.worker = worker;
      setDaemon(true);
    }

    void wake() {
      if (parked) {
        LockSupport.unpark(this);
      }
    }

    @Override
    public void run() {
      long seen = 0;
      while (!closed) {
        long run = awaitRunAfter(seen);
        if (run == seen) {
          break;
        }
        seen = run;
        try {
          work(worker);
        } catch (Throwable late) { // a fault in mapped memory is thrown some time after it
          failure = late;
        }
      }
      ended = true;
    }

    // The same run if none came for a while, or the pool was closed.
    private long awaitRunAfter(long seen) {
      for (int spins = 0; spins < SPINS; spins++) {
        long run = runOf(worker);
        if (run != seen) {
          return run;
        }
        Thread.onSpinWait();
      }
      parked = true;
      try {
        long start = System.nanoTime();
        long left = IDLE_NANOSECONDS;
        while (runOf(worker) == seen && !closed && left > 0) {
          LockSupport.parkNanos(Workers.this, left);
          left = IDLE_NANOSECONDS - (System.nanoTime() - start);
        }
        return runOf(worker);
      } finally {
        parked = false;
      }
    }
  }
}
