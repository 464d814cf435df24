package dev.gdn.core.batch;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.kernel.KernelProvider;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.RuleParameters;
import java.util.Arrays;
import java.util.function.ObjIntConsumer;

/**
 * The chunk form with each sequence cut into shards that run on several threads. Results are those
 * of {@link GatedDeltaRule} up to rounding; they depend on the number of shards. Used by one thread
 * at a time.
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
 *
 * <p>A sequence stays whole where that is no slower, its heads and value columns being what the
 * threads share: where each thread has as many heads as the others; where states last, and the
 * kernels find at least a third of p + 2 parts in a call; and where there is no summary, since
 * states last and betas are per value channel.
 */
public final class ShardedRule {
  /** At most this part of a shard's tokens is read once more for the state the next begins with. */
  private static final int PART = 4;

  private final Workers workers;
  private final DeltaRule[] kernels;
  // On all threads at once.
  private final DeltaRule whole;

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
    whole = provider.open(workers).rule();
    kernels = new DeltaRule[workers.threads()];
    for (int w = 0; w < kernels.length; w++) {
      kernels[w] = provider.open(Workers.of(1)).rule();
    }
  }

  /**
   * Runs one sequence, in place, with as many shards as suit the threads.
   *
   * @param tokens that the call's views hold from their beginning on, at least 0
   * @throws IllegalArgumentException if a view holds fewer tokens, or a gate is above 0
   */
  public void run(RuleCall call, int tokens) {
    call.checkTokens(tokens);
    int threads = workers.threads();
    if (call.keyHeads() % threads == 0) {
      whole.chunk(call, tokens);
    } else if (!forgetting(call, tokens, threads)) {
      if (3 * whole.parts(call) >= threads + 2) {
        whole.chunk(call, tokens);
      } else {
        composed(call, tokens, threads + 1);
      }
    }
  }

  /**
   * Runs one sequence, in place, in shards.
   *
   * @param tokens that the call's views hold from their beginning on, at least 0
   * @param shards at least 1; fewer tokens than these have one for each. Each takes memory for a
   *     state, and perhaps for a summary. A sequence whose states last has one shard if its betas
   *     are per value channel
   * @throws IllegalArgumentException if a view holds fewer tokens, a gate is above 0, the number is
   *     less than 1, or a summary is larger than an array can be
   */
  public void run(RuleCall call, int tokens, int shards) {
    if (shards < 1) {
      throw new IllegalArgumentException("shards: expected at least 1, found " + shards);
    }
    call.checkTokens(tokens);
    if (!forgetting(call, tokens, shards)) {
      composed(call, tokens, shards);
    }
  }

  /**
   * Runs a batch with as many shards for each sequence as suit the threads.
   *
   * @throws IllegalArgumentException if the results are larger than an array can be
   */
  public RuleResult apply(RuleParameters parameters, RuleBatch batch) {
    return apply(parameters, batch, this::run);
  }

  /**
   * Runs a batch.
   *
   * @param shards for each sequence, as in {@link #run(RuleCall, int, int)}
   * @throws IllegalArgumentException if the number is less than 1, or the results or a summary are
   *     larger than an array can be
   */
  public RuleResult apply(RuleParameters parameters, RuleBatch batch, int shards) {
    return apply(parameters, batch, (call, tokens) -> run(call, tokens, shards));
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

  private static RuleResult apply(
      RuleParameters parameters, RuleBatch batch, ObjIntConsumer<RuleCall> rule) {
    BatchCalls calls = new BatchCalls(parameters, batch);
    float[] state = calls.states("initial state", batch.initialState());
    float[] output = new float[batch.v().length];
    for (int n = 0; n < batch.sequences(); n++) {
      rule.accept(calls.call(n, state, output), batch.length(n));
    }
    return new RuleResult(output, calls.toLayout(state));
  }

  /** Runs a sequence if its states vanish soon enough; otherwise returns false. */
  private boolean forgetting(RuleCall call, int tokens, int shards) {
    int count = Math.min(shards, tokens);
    if (count < 2) {
      return false;
    }
    int most = Math.ceilDiv(tokens, count) / PART;
    int[] cuts = cuts(tokens, count, 0);
    int[] windows = Forgetting.windows(call, cuts, most);
    if (windows == null) {
      return false;
    }
    // The first shard reads nothing twice, so it is longer by what the others do.
    int[] fair = cuts(tokens, count, Arrays.stream(windows).max().orElse(0));
    int[] fairWindows = Forgetting.windows(call, fair, most);
    boolean known = fairWindows != null;
    apart(new Shards(call, known ? fair : cuts), known ? fairWindows : windows);
    return true;
  }

  /** Runs a sequence by summaries, or whole where there are none. */
  private void composed(RuleCall call, int tokens, int shards) {
    int count = Summarizing.possible(call) ? Math.min(shards, tokens) : 1;
    if (count < 2) {
      whole.chunk(call, tokens);
    } else {
      composed(new Shards(call, cuts(tokens, count, tokens / (count + 1))));
    }
  }

  // Where each shard begins, and where the last one ends. The first is longer than the others by so
  // many tokens.
  private static int[] cuts(int tokens, int shards, int longer) {
    int[] cuts = new int[shards + 1];
    for (int i = 1; i <= shards; i++) {
      cuts[i] = longer + (int) ((long) (tokens - longer) * i / shards);
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
    shards.finish();
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
    shards.finish();
  }

  private void run(int first, int end, Work work) {
    workers.run(end - first, (part, worker) -> work.run(first + part, kernels[worker]));
  }
}
