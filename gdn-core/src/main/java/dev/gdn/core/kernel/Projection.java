package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;

/**
 * A weight matrix and where its product goes.
 *
 * @param weight {@code [rows, columns]}
 * @param output {@code [tokens, rows]}, one head; not the input
 */
public record Projection(WeightMatrix weight, TokenTensor output) {
  /**
   * Checks that input and output fit the matrix.
   *
   * @throws IllegalArgumentException naming the matrix and what does not fit
   */
  public void check(TokenTensor x, int tokens) {
    x.check("input of " + weight.name(), tokens, 1, weight.columns());
    output.check("output of " + weight.name(), tokens, 1, weight.rows());
  }
}
