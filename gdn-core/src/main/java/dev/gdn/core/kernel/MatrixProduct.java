package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;

/**
 * Products of activations with weight matrices: y[t, r] = Σ_c w[r, c] · x[t, c]. The arithmetic is
 * float32, with one exception: for Q4_0 weights a kernel may round the input to eight bits, in
 * blocks of 32 columns whose step is the block's largest magnitude over 127, as llama.cpp does.
 */
public interface MatrixProduct {
  /**
   * Multiplies the same input with several matrices.
   *
   * @param x {@code [tokens, columns]}, one head
   * @param tokens at least 0; one token is the decode case
   * @param projections matrices of {@code columns} columns, each with its own output
   */
  void multiply(TokenTensor x, int tokens, Projection... projections);

  /**
   * Multiplies each row with the matrices of its expert: y[i, r] = Σ_c w_e[r, c] · x[i, c], where e
   * is the expert of row i. Other experts' matrices are not read.
   *
   * @param x {@code [rows, columns]}, one head
   * @param routes which rows belong to which expert
   * @param projections matrices of {@code columns} columns, each with its own output
   */
  void multiplyExperts(TokenTensor x, ExpertRoutes routes, ExpertProjection... projections);
}
