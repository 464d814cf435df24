package dev.gdn.core.backward;

import dev.gdn.core.tensor.TokenTensor;

/**
 * Derivatives of a loss by the inputs of one sequence, each shaped as its input; all are
 * overwritten.
 *
 * @param q {@code [tokens, H, K]}
 * @param k {@code [tokens, H, K]}
 * @param v {@code [tokens, HV, V]}
 * @param g {@code [tokens, 1, HV]}
 * @param gk {@code [tokens, HV, K]}; null if not wanted
 * @param gv {@code [tokens, HV, V]}; null if not wanted
 * @param beta {@code [tokens, 1, HV]} or {@code [tokens, HV, V]}
 */
public record Derivatives(
    TokenTensor q,
    TokenTensor k,
    TokenTensor v,
    TokenTensor g,
    TokenTensor gk,
    TokenTensor gv,
    TokenTensor beta) {}
