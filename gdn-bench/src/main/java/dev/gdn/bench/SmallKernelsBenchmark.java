package dev.gdn.bench;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.ConvolutionWeights;
import dev.gdn.core.kernel.DecayGateWeights;
import dev.gdn.core.kernel.ExpertRoutes;
import dev.gdn.core.kernel.KernelChoice;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.kernel.RotaryAngles;
import dev.gdn.core.kernel.RotaryEmbedding;
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
 * Convolution, norms, gates and rotation at the sizes of the 0.8b shape, the way to experts and
 * back at half the width of the 35b-a3b shape: microseconds a token.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "--add-modules=jdk.incubator.vector")
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class SmallKernelsBenchmark {
  private static final int TOKENS = 128;
  private static final int CHANNELS = 6144;
  private static final int HIDDEN = 1024;
  private static final int FEED_FORWARD = 3584;
  private static final int EXPERTS = 256;
  private static final int CHOSEN = 8;

  /** Which kernels. */
  @Param("vector")
  public String kernels;

  private Workers workers;
  private Kernels open;
  private ConvolutionWeights convolution;
  private float[] window;
  private NormWeights norm;
  private NormWeights headNorm;
  private DecayGateWeights decay;
  private RotaryAngles angles;
  private TokenTensor channels;
  private TokenTensor convolved;
  private TokenTensor hidden;
  private TokenTensor normed;
  private TokenTensor values;
  private TokenTensor gates;
  private TokenTensor wide;
  private TokenTensor wideGates;
  private TokenTensor logits;
  private TokenTensor queries;
  private ExpertRoutes routes;
  private TokenTensor rows;

  /** For JMH. */
  public SmallKernelsBenchmark() {}

  /** Opens the kernels and makes the inputs. */
  @Setup
  public void open() {
    workers = Workers.of(1);
    open = KernelChoice.named(kernels).open(workers);
    Random random = new Random(1);
    float[] taps = RandomViews.normal(random, 4, 1, CHANNELS).data();
    convolution = new ConvolutionWeights(CHANNELS, 4, taps, null, Activation.SILU);
    window = new float[convolution.stateSize()];
    norm = new NormWeights(RandomViews.normal(random, 1, 1, HIDDEN).data(), 1e-6f, true);
    headNorm = new NormWeights(RandomViews.normal(random, 1, 1, 128).data(), 1e-6f, false);
    decay = DecayGateWeights.fromLog(new float[16], new float[16]);
    angles = new RotaryAngles(TOKENS, 32);
    RotaryEmbedding.of(64, 1e7, null).fill(angles, 0, TOKENS);
    channels = RandomViews.normal(random, TOKENS, 1, CHANNELS);
    convolved = RandomViews.normal(random, TOKENS, 1, CHANNELS);
    hidden = RandomViews.normal(random, TOKENS, 1, HIDDEN);
    normed = RandomViews.normal(random, TOKENS, 1, HIDDEN);
    values = RandomViews.normal(random, TOKENS, 16, 128);
    gates = RandomViews.normal(random, TOKENS, 16, 128);
    wide = RandomViews.normal(random, TOKENS, 1, FEED_FORWARD);
    wideGates = RandomViews.normal(random, TOKENS, 1, FEED_FORWARD);
    logits = RandomViews.normal(random, TOKENS, 1, 16);
    queries = RandomViews.normal(random, TOKENS, 8, 256);
    rows = RandomViews.normal(random, TOKENS * CHOSEN, 1, HIDDEN);
    routes = new ExpertRoutes(EXPERTS, CHOSEN, TOKENS);
    for (int pair = 0; pair < TOKENS * CHOSEN; pair++) {
      routes.expertOf()[pair] = random.nextInt(EXPERTS);
      routes.weightOf()[pair] = 1f / CHOSEN;
    }
    routes.group(TOKENS);
  }

  /** Ends the threads. */
  @TearDown
  public void close() {
    workers.close();
  }

  /** 6,144 channels of width 4, with SiLU. */
  @Benchmark
  @OperationsPerInvocation(TOKENS)
  public TokenTensor convolution() {
    open.convolution().convolve(convolution, channels, window, convolved, TOKENS);
    return convolved;
  }

  /** RMS norm of 1,024. */
  @Benchmark
  @OperationsPerInvocation(TOKENS)
  public TokenTensor norm() {
    open.normalization().rms(norm, hidden, normed, TOKENS);
    return normed;
  }

  /** Gated RMS norm of 16 heads of 128. The output is another array: inputs stay as they are. */
  @Benchmark
  @OperationsPerInvocation(TOKENS)
  public TokenTensor gatedNorm() {
    TokenTensor out = convolved.columns(0, 16, 128);
    open.normalization().gatedRms(headNorm, values, gates, Activation.SILU, out, TOKENS);
    return out;
  }

  /** SwiGLU of 3,584. */
  @Benchmark
  @OperationsPerInvocation(TOKENS)
  public TokenTensor gate() {
    TokenTensor out = convolved.columns(0, 1, FEED_FORWARD);
    open.elementwise().gate(Activation.SILU, wideGates, wide, out, TOKENS);
    return out;
  }

  /** Decay gates of 16 heads. */
  @Benchmark
  @OperationsPerInvocation(TOKENS)
  public TokenTensor decayGate() {
    TokenTensor out = convolved.columns(0, 1, 16);
    open.elementwise().decayGate(decay, logits, out, TOKENS);
    return out;
  }

  /** 32 pairs of 8 heads of 256. */
  @Benchmark
  @OperationsPerInvocation(TOKENS)
  public TokenTensor rotation() {
    open.rotation().rotate(angles, queries, TOKENS);
    return queries;
  }

  /** Rows of 1,024 for 8 experts of each token. */
  @Benchmark
  @OperationsPerInvocation(TOKENS)
  public TokenTensor gather() {
    open.experts().gather(hidden, routes, rows);
    return rows;
  }

  /** 8 weighted rows of 1,024 added to each token. */
  @Benchmark
  @OperationsPerInvocation(TOKENS)
  public TokenTensor scatterAdd() {
    open.experts().scatterAdd(rows, routes, normed);
    return normed;
  }
}
