package dev.gdn.model.bench;

/**
 * How fast the gated delta rule ran.
 *
 * @param chunk microseconds for one token and head in the chunk form
 * @param channelGates the same with a gate for each key channel rather than for each head
 * @param recurrent microseconds for one head in one step of the recurrent form
 */
public record RuleSpeed(Statistics chunk, Statistics channelGates, Statistics recurrent) {}
