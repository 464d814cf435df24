package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;

/** Takes tokens to their experts and back. All views have one head. */
public interface ExpertDispatch {
  /**
   * Gathers rows: y[row] = x[token of the row].
   *
   * @param x {@code [tokens, width]}
   * @param y {@code [rows, width]}; not the input
   */
  void gather(TokenTensor x, ExpertRoutes routes, TokenTensor y);

  /**
   * Weighted scatter-add: y[t] = y[t] + Σ_j weight[t, j] · x[row of (t, j)], in the order of j.
   *
   * @param x {@code [rows, width]}
   * @param y {@code [tokens, width]}; not the input
   */
  void scatterAdd(TokenTensor x, ExpertRoutes routes, TokenTensor y);
}
