package dev.gdn.model.bench;

import dev.gdn.core.batch.ShardedRule;
import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.kernel.KernelProvider;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.Gates;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Measures the gated delta rule by itself, on random inputs with as many value heads as key heads.
 *
 * @param tokens of one sequence, at least 1
 * @param heads at least 1
 * @param width of keys and values, at least 1
 * @param repetitions measured after warming up, at least 1
 */
public record RuleBenchmark(int tokens, int heads, int width, int repetitions) {
  private static final long WARM_UP_NANOS = 2_000_000_000L;

  /** Time of one measurement at least: short calls are repeated. */
  private static final long MEASURED_NANOS = 200_000_000L;

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public RuleBenchmark {
    Ranges.check("tokens", tokens, 1, 1 << 20);
    Ranges.check("heads", heads, 1, 1024);
    Ranges.check("width", width, 1, 1024);
    Ranges.check("repetitions", repetitions, 1, 1000);
    if ((long) tokens * heads * width > 1 << 28) {
      throw new IllegalArgumentException(
          "inputs: expected at most 2^28 numbers each, found %d x %d x %d"
              .formatted(tokens, heads, width));
    }
  }

  /**
   * Runs both forms, and the chunk form on one thread, with either kind of gate, and with the
   * sequence cut into shards. These are measured in turn, so that ratios hold on a machine whose
   * speed changes.
   *
   * @param provider of the kernels
   * @param workers the threads
   */
  public RuleSpeed measure(KernelProvider provider, Workers workers) {
    Inputs inputs = new Inputs();
    DeltaRule rule = provider.open(workers).rule();
    DeltaRule alone = provider.open(Workers.of(1)).rule();
    ShardedRule sharded = new ShardedRule(provider, workers);
    double units = (double) tokens * heads;
    Statistics[] chunks =
        measure(
            units,
            () -> rule.chunk(inputs.perHead, tokens),
            () -> alone.chunk(inputs.perHead, tokens),
            () -> rule.chunk(inputs.perKey, tokens),
            () -> sharded.run(inputs.perHead, tokens),
            () -> sharded.run(inputs.lasting, tokens));
    Statistics step = measure(heads, () -> rule.recurrent(inputs.perHead, 1))[0];
    return new RuleSpeed(chunks[0], chunks[1], chunks[2], chunks[3], chunks[4], step);
  }

  private Statistics[] measure(double units, Runnable... works) {
    for (Runnable work : works) {
      repeat(work, WARM_UP_NANOS);
    }
    double[][] microseconds = new double[works.length][repetitions];
    for (int i = 0; i < repetitions; i++) {
      for (int j = 0; j < works.length; j++) {
        microseconds[j][i] = repeat(works[j], MEASURED_NANOS) * 1e-3 / units;
      }
    }
    return Arrays.stream(microseconds).map(Statistics::of).toArray(Statistics[]::new);
  }

  /** Nanoseconds of one call. */
  private static double repeat(Runnable work, long nanos) {
    long start = System.nanoTime();
    long spent;
    int calls = 0;
    do {
      work.run();
      calls++;
      spent = System.nanoTime() - start;
    } while (spent < nanos);
    return (double) spent / calls;
  }

  /** Numbers of the size that a trained model has. */
  private final class Inputs {
    private final RuleParameters parameters = RuleParameters.standard(width, HeadMapping.GROUPED);
    private final TokenTensor q = random(heads, width, -1, 1);
    private final TokenTensor k = random(heads, width, -1, 1);
    private final TokenTensor v = random(heads, width, -1, 1);
    private final TokenTensor g = random(1, heads, -0.2, 0);
    private final TokenTensor beta = random(1, heads, 0, 1);
    private final TokenTensor o = random(heads, width, 0, 1);
    private final TokenTensor gk = random(heads, width, -0.2, 0);
    private final float[] state = new float[heads * width * width];
    final RuleCall perHead = call(Gates.perHead(g, beta));
    final RuleCall lasting = call(Gates.perHead(random(1, heads, -2e-4, 0), beta));
    final RuleCall perKey = call(new Gates(null, gk, null, beta));

    private RuleCall call(Gates gates) {
      return new RuleCall(parameters, q, k, v, gates, state, 0, o);
    }

    private TokenTensor random(int heads, int width, double least, double most) {
      SplittableRandom random = new SplittableRandom(heads + 31L * width);
      float[] values = new float[tokens * heads * width];
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) random.nextDouble(least, most);
      }
      return TokenTensor.of(values, heads, width);
    }
  }
}
