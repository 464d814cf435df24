package dev.gdn.bench;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.Attention;
import dev.gdn.core.kernel.KernelChoice;
import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.kernel.KeyValueType;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Softmax attention, 8 query heads and 2 key-value heads of 256, on one thread: microseconds for
 * each token at the end of the context.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "--add-modules=jdk.incubator.vector")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class AttentionBenchmark {
  private static final int TOKENS = 128;
  private static final int HEADS = 8;
  private static final int CACHE_HEADS = 2;
  private static final int WIDTH = 256;

  /** Which kernels. */
  @Param("vector")
  public String kernels;

  /** Tokens in the cache. */
  @Param({"512", "4096", "16384"})
  public int context;

  /** How the cache holds numbers. */
  @Param({"F32", "F16"})
  public KeyValueType type;

  private Workers workers;
  private Attention attention;
  private KeyValueCache cache;
  private TokenTensor q;
  private TokenTensor o;

  /** For JMH. */
  public AttentionBenchmark() {}

  /** Opens the kernels and fills the cache. */
  @Setup
  public void open() {
    workers = Workers.of(1);
    attention = KernelChoice.named(kernels).open(workers).attention();
    Random random = new Random(1);
    cache = new KeyValueCache(type, CACHE_HEADS, WIDTH, WIDTH);
    cache.append(
        RandomViews.normal(random, context, CACHE_HEADS, WIDTH),
        RandomViews.normal(random, context, CACHE_HEADS, WIDTH),
        context);
    q = RandomViews.normal(random, TOKENS, HEADS, WIDTH);
    o = TokenTensor.of(new float[TOKENS * HEADS * WIDTH], HEADS, WIDTH);
  }

  /** Ends the threads. */
  @TearDown
  public void close() {
    workers.close();
  }

  /** A block of tokens. */
  @Benchmark
  @OperationsPerInvocation(TOKENS)
  public TokenTensor prefill(PeakShare share) {
    long start = System.nanoTime();
    attention.attend(q, cache, 1f / 16, o, TOKENS);
    double pairs = TOKENS * (context - TOKENS / 2.0);
    share.add(2 * pairs * HEADS * WIDTH, start);
    return o;
  }

  /** One token. */
  @Benchmark
  public TokenTensor decode() {
    attention.attend(q, cache, 1f / 16, o, 1);
    return o;
  }
}
