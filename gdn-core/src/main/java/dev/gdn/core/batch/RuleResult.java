package dev.gdn.core.batch;

/**
 * What the gated delta rule gives for a batch.
 *
 * @param output {@code [B, T, HV, V]}
 * @param finalState {@code [N, HV, K, V]}, one state for each sequence
 */
public record RuleResult(float[] output, float[] finalState) {}
