package dev.gdn.core.batch;

import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.kernel.RuleCall;
import java.util.Arrays;

/** The shards of one sequence, each with the state that it has come to once it has begun. */
final class Shards {
  private final RuleCall call;
  private final int[] cuts;
  private final int stateSize;
  private final float[][] states;

  /**
   * @param call of the whole sequence
   * @param cuts where each shard begins, and where the last one ends
   */
  Shards(RuleCall call, int[] cuts) {
    this.call = call;
    this.cuts = cuts;
    stateSize = call.valueHeads() * call.keyWidth() * call.valueWidth();
    states = new float[count()][];
    states[0] =
        Arrays.copyOfRange(call.state(), call.stateOffset(), call.stateOffset() + stateSize);
  }

  int count() {
    return cuts.length - 1;
  }

  /** Finds the state that a shard begins with from the tokens before it and zeros. */
  void enter(int shard, int tokens, DeltaRule kernel) {
    states[shard] = new float[stateSize];
    kernel.chunk(call.from(cuts[shard] - tokens).into(states[shard], 0).withoutOutput(), tokens);
  }

  /**
   * Has a shard begin where the one before it ends.
   *
   * @param summary of that shard; null if it has run
   */
  void follow(int shard, ShardSummary summary) {
    float[] before = states[shard - 1];
    states[shard] = summary == null ? before.clone() : summary.apply(before);
  }

  ShardSummary summarize(int shard, DeltaRule kernel) {
    return Summarizing.of(kernel, call.from(cuts[shard]), cuts[shard + 1] - cuts[shard]);
  }

  void run(int shard, DeltaRule kernel) {
    int first = cuts[shard];
    kernel.chunk(call.from(first).into(states[shard], 0), cuts[shard + 1] - first);
  }

  /** Stores the last shard's state as that of the sequence. */
  void finish() {
    float[] last = states[count() - 1];
    System.arraycopy(last, 0, call.state(), call.stateOffset(), last.length);
  }
}
