package dev.gdn.bench;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.KernelChoice;
import dev.gdn.core.kernel.MatrixProduct;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Products with stored weights. Next to the time of a call stand its share of the machine's float32
 * multiply-additions and, for the weights it reads, of the machine's reading, both measured before
 * every iteration. A second matrix, used in turn, keeps the weights of one token out of the caches.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--add-modules=jdk.incubator.vector")
public class MatrixProductBenchmark {
  /** What a share is of, and how much was done. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Shares {
    private int iterations;
    private double multiplyAdditions;
    private double bytes;
    private double peak;
    private double bandwidth;
    private long nanoseconds;

    /**
     * Per cent of the peak of float32 multiply-additions; of an iteration, its part of the mean.
     */
    public double percentOfMultiplyAdditions() {
      return 100 * multiplyAdditions / nanoseconds / peak / iterations;
    }

    /** Per cent of the bandwidth of reading; likewise. */
    public double percentOfReading() {
      return 100 * bytes / nanoseconds / bandwidth / iterations;
    }

    /** For JMH. */
    public Shares() {}

    /** Measures what the machine can do now. */
    @Setup(Level.Iteration)
    public void measureMachine(MatrixProductBenchmark benchmark, BenchmarkParams params) {
      iterations = PeakShare.iterations(params);
      WeightMatrix weight = benchmark.projections[0].weight();
      peak = benchmark.limits.multiplyAdditionsPerNanosecond();
      bandwidth = benchmark.limits.bytesReadPerNanosecond(weight.data());
      multiplyAdditions = 0;
      bytes = 0;
      nanoseconds = 0;
    }
  }

  /** How the weights are stored. */
  @Param public DataType type;

  /** Rows of the matrix: as many as 64 MiB of 16-bit weights have. */
  @Param("32768")
  public int rows;

  /** Columns of the matrix. */
  @Param("1024")
  public int columns;

  /** Tokens: one is generation, many are a prompt. */
  @Param({"1", "4", "32", "512"})
  public int tokens;

  /** Threads that share the work. */
  @Param("1")
  public int threads;

  /** Kernels to measure. */
  @Param("auto")
  public String kernels;

  private Workers workers;
  private MachineLimits limits;
  private MatrixProduct product;
  private TokenTensor x;
  private Projection[] projections;
  private int turn;

  /** For JMH. */
  public MatrixProductBenchmark() {}

  /** Makes weights and tokens. */
  @Setup
  public void open() {
    workers = Workers.of(threads);
    limits = new MachineLimits(workers);
    // Before the kernels, which warm up on threads of their own.
    limits.warmUp(SyntheticWeights.matrix(type, rows, columns, 0).data());
    product = KernelChoice.named(kernels).open(workers).matrix();
    x = TokenTensor.zeros(tokens, columns);
    for (int i = 0; i < x.data().length; i++) {
      x.data()[i] = (float) Math.sin(i);
    }
    TokenTensor y = TokenTensor.zeros(tokens, rows);
    projections = new Projection[2];
    for (int i = 0; i < projections.length; i++) {
      projections[i] = new Projection(SyntheticWeights.matrix(type, rows, columns, i), y);
    }
  }

  /** Ends the threads. */
  @TearDown
  public void close() {
    workers.close();
  }

  /** One call. */
  @Benchmark
  public void multiply(Shares shares) {
    Projection projection = projections[turn++ & 1];
    long start = System.nanoTime();
    product.multiply(x, tokens, projection);
    shares.nanoseconds += System.nanoTime() - start;
    shares.multiplyAdditions += (double) rows * columns * tokens;
    shares.bytes += projection.weight().data().byteSize();
  }
}
