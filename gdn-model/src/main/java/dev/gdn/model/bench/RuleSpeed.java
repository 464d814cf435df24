package dev.gdn.model.bench;

/**
 * How fast the gated delta rule ran. All but the last are microseconds for one token and head.
 *
 * @param chunk the chunk form, with a gate for each head
 * @param oneThread the same on one thread
 * @param channelGates the same as the first with a gate for each key channel
 * @param sharded as {@link dev.gdn.core.batch.ShardedRule} cuts a sequence for the threads, with
 *     gates per head that let a state vanish within some thousand tokens
 * @param lasting the same with gates that let states last
 * @param recurrent microseconds for one head in one step of the recurrent form
 */
public record RuleSpeed(
    Statistics chunk,
    Statistics oneThread,
    Statistics channelGates,
    Statistics sharded,
    Statistics lasting,
    Statistics recurrent) {
  /** How many times the time of gates per head gates per key channel take. */
  public double channelGatesRatio() {
    return channelGates.mean() / chunk.mean();
  }

  /** How many times as fast as one thread the threads are, each with shards of the sequence. */
  public double shardedRatio() {
    return oneThread.mean() / sharded.mean();
  }

  /** The same where states last. */
  public double lastingRatio() {
    return oneThread.mean() / lasting.mean();
  }
}
