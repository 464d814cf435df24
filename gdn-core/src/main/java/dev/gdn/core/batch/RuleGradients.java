package dev.gdn.core.batch;

/**
 * Derivatives of a loss by the inputs of a batch, each shaped as the input it belongs to.
 *
 * @param q {@code [B, T, H, K]}
 * @param k {@code [B, T, H, K]}
 * @param v {@code [B, T, HV, V]}
 * @param g {@code [B, T, HV]}; null if the batch has none
 * @param gk {@code [B, T, HV, K]}; null if the batch has none
 * @param gv {@code [B, T, HV, V]}; null if the batch has none
 * @param beta as the batch's; null if the batch has none
 * @param initialState as the batch's; given also where that is null, hence zero
 */
public record RuleGradients(
    float[] q,
    float[] k,
    float[] v,
    float[] g,
    float[] gk,
    float[] gv,
    float[] beta,
    float[] initialState) {}
