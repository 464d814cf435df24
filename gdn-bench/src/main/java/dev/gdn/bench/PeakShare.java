package dev.gdn.bench;

import dev.gdn.core.concurrent.Workers;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A kernel's multiply-additions as a share of one thread's peak, measured before each iteration.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class PeakShare {
  private final Workers workers = Workers.of(1);
  private final MachineLimits limits = new MachineLimits(workers);
  private int iterations;
  private double peak;
  private double multiplyAdditions;
  private long nanoseconds;

  /** For JMH. */
  public PeakShare() {}

  /** For JMH. */
  @Setup
  public void warmUp(BenchmarkParams params) {
    iterations = iterations(params);
    limits.warmUp();
  }

  /** JMH adds up what iterations and forks count, so each gives its part of the mean share. */
  static int iterations(BenchmarkParams params) {
    return Math.max(1, params.getForks()) * params.getMeasurement().getCount();
  }

  /** Measures what the machine can do now. */
  @Setup(Level.Iteration)
  public void measureMachine() {
    peak = limits.multiplyAdditionsPerNanosecond();
    multiplyAdditions = 0;
    nanoseconds = 0;
  }

  /** Ends the threads. */
  @TearDown
  public void close() {
    workers.close();
  }

  /** Per cent of the peak of float32 multiply-additions; of an iteration, its part of the mean. */
  public double percentOfMultiplyAdditions() {
    return 100 * multiplyAdditions / nanoseconds / peak / iterations;
  }

  void add(double multiplyAdditions, long start) {
    this.multiplyAdditions += multiplyAdditions;
    nanoseconds += System.nanoTime() - start;
  }
}
