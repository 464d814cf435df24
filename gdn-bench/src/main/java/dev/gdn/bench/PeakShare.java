package dev.gdn.bench;

import dev.gdn.core.concurrent.Workers;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A kernel's multiply-additions as a share of one thread's peak, measured before each iteration.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class PeakShare {
  private final Workers workers = Workers.of(1);
  private double peak;
  private double multiplyAdditions;
  private long nanoseconds;

  /** For JMH. */
  public PeakShare() {}

  /** Measures what the machine can do now. */
  @Setup(Level.Iteration)
  public void measureMachine() {
    MachineLimits limits = new MachineLimits(workers);
    peak = 0;
    for (int i = 0; i < 5; i++) {
      peak = Math.max(peak, limits.multiplyAdditionsPerNanosecond());
    }
    multiplyAdditions = 0;
    nanoseconds = 0;
  }

  /** Ends the threads. */
  @TearDown
  public void close() {
    workers.close();
  }

  /** Per cent of the peak of float32 multiply-additions. */
  public double percentOfMultiplyAdditions() {
    return 100 * multiplyAdditions / nanoseconds / peak;
  }

  void add(double multiplyAdditions, long start) {
    this.multiplyAdditions += multiplyAdditions;
    nanoseconds += System.nanoTime() - start;
  }
}
