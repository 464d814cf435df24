package dev.gdn.bench;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.kernel.DeltaRuleBackward;
import dev.gdn.core.kernel.KernelChoice;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.kernel.RuleDerivatives;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
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
 * The gated delta rule, 16 heads of 128 x 128, on one thread: microseconds for each token and head.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "--add-modules=jdk.incubator.vector")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class RuleBenchmark {
  private static final int TOKENS = 2048;
  private static final int HEADS = 16;
  private static final int WIDTH = 128;

  /** Which kernels. */
  @Param("vector")
  public String kernels;

  /** Tokens of a chunk. */
  @Param({"32", "64"})
  public int chunk;

  private Workers workers;
  private DeltaRule rule;
  private DeltaRuleBackward backward;
  private RuleParameters parameters;
  private TokenTensor q;
  private TokenTensor k;
  private TokenTensor v;
  private TokenTensor g;
  private TokenTensor beta;
  private float[] state;
  private TokenTensor o;
  private TokenTensor dOutput;
  private float[] dState;
  private RuleDerivatives derivatives;

  /** For JMH. */
  public RuleBenchmark() {}

  /** Opens the kernels and makes the inputs. */
  @Setup
  public void open() {
    workers = Workers.of(1);
    Kernels opened = KernelChoice.named(kernels).open(workers);
    rule = opened.rule();
    backward = opened.backward();
    parameters =
        new RuleParameters((float) (1 / Math.sqrt(WIDTH)), true, HeadMapping.GROUPED, chunk);
    Random random = new Random(1);
    q = RandomViews.normal(random, TOKENS, HEADS, WIDTH);
    k = RandomViews.normal(random, TOKENS, HEADS, WIDTH);
    v = RandomViews.normal(random, TOKENS, HEADS, WIDTH);
    g = RandomViews.uniform(random, TOKENS, HEADS, -0.3f, 0);
    beta = RandomViews.uniform(random, TOKENS, HEADS, 0, 1);
    state = new float[HEADS * WIDTH * WIDTH];
    o = zeros();
    dOutput = RandomViews.normal(random, TOKENS, HEADS, WIDTH);
    dState = new float[state.length];
    derivatives =
        new RuleDerivatives(
            zeros(),
            zeros(),
            zeros(),
            TokenTensor.zeros(TOKENS, HEADS),
            null,
            null,
            TokenTensor.zeros(TOKENS, HEADS));
  }

  private static TokenTensor zeros() {
    return TokenTensor.of(new float[TOKENS * HEADS * WIDTH], HEADS, WIDTH);
  }

  /** Ends the threads. */
  @TearDown
  public void close() {
    workers.close();
  }

  /** The chunk form. The share is that of the three products with the state alone. */
  @Benchmark
  @OperationsPerInvocation(TOKENS * HEADS)
  public float[] chunk(PeakShare share) {
    long start = System.nanoTime();
    rule.chunk(new RuleCall(parameters, q, k, v, g, beta, state, 0, o), TOKENS);
    share.add(3.0 * TOKENS * HEADS * WIDTH * WIDTH, start);
    return state;
  }

  /**
   * The backward pass, in the chunk form. The share is that of its eight products with the state.
   */
  @Benchmark
  @OperationsPerInvocation(TOKENS * HEADS)
  public float[] backward(PeakShare share) {
    long start = System.nanoTime();
    RuleCall call = new RuleCall(parameters, q, k, v, g, beta, state, 0, null);
    backward.run(call, TOKENS, dOutput, dState, derivatives);
    share.add(8.0 * TOKENS * HEADS * WIDTH * WIDTH, start);
    return dState;
  }

  /** One step of the recurrent form. */
  @Benchmark
  @OperationsPerInvocation(HEADS)
  public float[] step() {
    rule.recurrent(new RuleCall(parameters, q, k, v, g, beta, state, 0, o), 1);
    return state;
  }
}
