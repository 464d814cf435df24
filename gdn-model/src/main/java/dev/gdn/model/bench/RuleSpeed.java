package dev.gdn.model.bench;

/**
 * How fast the gated delta rule ran.
 *
 * @param chunk microseconds for one token and head in the chunk form
 * @param channelGates the same with a gate for each key channel rather than for each head
 * @param sharded the same, with gates per head, where the sequence is cut into shards for the
 *     threads and memory for the results is allotted
 * @param recurrent microseconds for one head in one step of the recurrent form
 */
public record RuleSpeed(
    Statistics chunk, Statistics channelGates, Statistics sharded, Statistics recurrent) {}
