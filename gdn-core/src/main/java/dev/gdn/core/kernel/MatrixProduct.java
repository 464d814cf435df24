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
}
