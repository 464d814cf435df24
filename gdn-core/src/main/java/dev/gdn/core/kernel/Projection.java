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
    check(weight, x, output, tokens);
  }

  static void check(WeightMatrix weight, TokenTensor x, TokenTensor output, int tokens) {
    // Names are put together for a complaint alone: this runs for each product of each token.
    if (!x.fits(tokens, 1, weight.columns())) {
      x.check("input of " + weight.name(), tokens, 1, weight.columns());
    }
    if (!output.fits(tokens, 1, weight.rows())) {
      output.check("output of " + weight.name(), tokens, 1, weight.rows());
    }
  }
}
