package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;

/** Products of activations with weight matrices: y[t, r] = Σ_c w[r, c] · x[t, c]. */
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
