package dev.gdn.core.batch;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.kernel.KernelProvider;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.RuleParameters;

/**
 * The chunk form with each sequence cut into shards that run on several threads. Results are those
 * of {@link GatedDeltaRule} up to rounding; they depend on the number of shards, not on that of
 * threads. Used by one thread at a time.
 *
 * <p>A shard can run once the state is known that it begins with. There are two ways to that state:
 *
 * <ul>
 *   <li>The gates have made all that was there some way back vanish. Then the tokens since then
 *       make it of zeros ({@link Forgetting}), and every shard finds it for itself.
 *   <li>Otherwise the shards between the first and the last are summarised while the first runs
 *       ({@link ShardSummary}), the summaries are applied one after the other, and then all shards
 *       but the first run. The first is twice as long as the others, since a summary takes about
 *       twice the time of a shard. So p threads with p + 1 shards take 3 / (p + 2) of the time of
 *       one thread, at best.
 * </ul>
 */
public final class ShardedRule {
  /** At most this part of a shard's tokens is read once more for the state the next begins with. */
  private static final int PART = 4;

  private final Workers workers;
  private final DeltaRule[] kernels;

  /** One shard's work on one thread's kernels. */
  @FunctionalInterface
  private interface Work {
    void run(int shard, DeltaRule kernel);
  }

  /**
   * @param provider of the kernels, of which each thread has its own
   * @param workers the threads
   * @throws IllegalStateException if the kernels cannot run here
   */
  public ShardedRule(KernelProvider provider, Workers workers) {
    this.workers = workers;
    kernels = new DeltaRule[workers.threads()];
    for (int w = 0; w < kernels.length; w++) {
      kernels[w] = provider.open(Workers.of(1)).rule();
    }
  }

  /**
   * Runs a batch with as many shards for each sequence as suit the threads.
   *
   * @throws IllegalArgumentException as {@link #apply(RuleParameters, RuleBatch, int)}
   */
  public RuleResult apply(RuleParameters parameters, RuleBatch batch) {
    int threads = workers.threads();
    return run(parameters, batch, threads, threads == 1 ? 1 : threads + 1);
  }

  /**
   * Runs a batch.
   *
   * @param shards for each sequence, at least 1; a sequence of fewer tokens has one for each. Each
   *     takes memory for a state, and perhaps for a summary
   * @throws IllegalArgumentException if the number is less than 1, the results are larger than an
   *     array can be, or a state neither vanishes nor can be summarised since betas are per value
   *     channel
   */
  public RuleResult apply(RuleParameters parameters, RuleBatch batch, int shards) {
    if (shards < 1) {
      throw new IllegalArgumentException("shards: expected at least 1, found " + shards);
    }
    return run(parameters, batch, shards, shards);
  }

  /**
   * Summarises the one sequence of a batch, whatever state it begins with.
   *
   * @param shard with B = 1, not packed; its initial state is not read
   * @throws IllegalArgumentException if the batch has more than one sequence, betas per value
   *     channel with the delta rule, or a summary larger than an array can be
   */
  public ShardSummary summarize(RuleParameters parameters, RuleBatch shard) {
    if (shard.sequences() != 1) {
      throw new IllegalArgumentException(
          "shard: expected one sequence, found " + shard.sequences());
    }
    BatchCalls calls = new BatchCalls(parameters, shard);
    RuleCall call = calls.call(0, calls.states("state", null), shard.v());
    return Summarizing.of(kernels[0], call, shard.length(0));
  }

  private RuleResult run(RuleParameters parameters, RuleBatch batch, int apart, int composed) {
    BatchCalls calls = new BatchCalls(parameters, batch);
    float[] state = calls.states("initial state", batch.initialState());
    float[] output = new float[batch.v().length];
    for (int n = 0; n < batch.sequences(); n++) {
      int tokens = batch.length(n);
      if (tokens > 0) {
        RuleCall call = calls.call(n, state, output);
        sequence(call, tokens, Math.min(apart, tokens), Math.min(composed, tokens));
      }
    }
    return new RuleResult(output, calls.toLayout(state));
  }

  private void sequence(RuleCall call, int tokens, int apart, int composed) {
    int[] cuts = cuts(tokens, apart, 1);
    int[] windows = Forgetting.windows(call, cuts, Math.ceilDiv(tokens, apart) / PART);
    Shards shards;
    if (windows != null) {
      shards = new Shards(call, cuts);
      apart(shards, windows);
    } else {
      shards = new Shards(call, cuts(tokens, composed, 2));
      composed(shards);
    }
    shards.finish();
  }

  // Where each shard begins, and where the last one ends. The first is `first` times as long as the
  // others.
  private static int[] cuts(int tokens, int shards, int first) {
    int[] cuts = new int[shards + 1];
    for (int i = 1; i <= shards; i++) {
      cuts[i] = (int) ((long) tokens * (i + first - 1) / (shards + first - 1));
    }
    return cuts;
  }

  private void apart(Shards shards, int[] windows) {
    run(
        0,
        shards.count(),
        (shard, kernel) -> {
          if (shard > 0) {
            shards.enter(shard, windows[shard], kernel);
          }
          shards.run(shard, kernel);
        });
  }

  private void composed(Shards shards) {
    int count = shards.count();
    ShardSummary[] summaries = new ShardSummary[count];
    run(
        0,
        Math.max(count - 1, 1),
        (shard, kernel) -> {
          if (shard == 0) {
            shards.run(0, kernel);
          } else {
            summaries[shard] = shards.summarize(shard, kernel);
          }
        });
    for (int shard = 1; shard < count; shard++) {
      shards.follow(shard, summaries[shard - 1]);
    }
    run(1, count, shards::run);
  }

  private void run(int first, int end, Work work) {
    workers.run(end - first, (part, worker) -> work.run(first + part, kernels[worker]));
  }
}
