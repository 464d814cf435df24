package dev.gdn.core.batch;

/**
 * What the gated delta rule gives for a batch.
 *
 * @param output {@code [B, T, HV, V]}
 * @param finalState one state for each sequence, {@code [N, HV, K, V]} or as the batch's layout
 *     says
 */
public record RuleResult(float[] output, float[] finalState) {}
