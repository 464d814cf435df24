package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import java.util.List;

/**
 * One weight matrix of each expert, all of one size, and where their products go. Safe to share but
 * for the output.
 *
 * @param weights {@code [rows, columns]} of every expert, at least one
 * @param output a row of {@code rows} values for each row of the routes; not the input
 */
public record ExpertProjection(List<WeightMatrix> weights, TokenTensor output) {
  /**
   * @throws IllegalArgumentException if there is no expert, or their matrices differ in size
   */
  public ExpertProjection {
    weights = List.copyOf(weights);
    if (weights.isEmpty()) {
      throw new IllegalArgumentException("expert matrices: expected at least one, found none");
    }
    for (WeightMatrix weight : weights) {
      if (weight.rows() != weights.getFirst().rows()
          || weight.columns() != weights.getFirst().columns()) {
        throw new IllegalArgumentException(
            "matrix %s: expected [%d, %d] as the first expert's, found [%d, %d]"
                .formatted(
                    weight.name(),
                    weights.getFirst().rows(),
                    weights.getFirst().columns(),
                    weight.rows(),
                    weight.columns()));
      }
    }
  }

  /**
   * Checks that input, routes and output fit the matrices.
   *
   * @throws IllegalArgumentException naming the matrix and what does not fit
   */
  public void check(TokenTensor x, ExpertRoutes routes) {
    WeightMatrix first = weights.getFirst();
    if (weights.size() != routes.experts()) {
      throw new IllegalArgumentException(
          "experts of %s: expected %d, found %d"
              .formatted(first.name(), routes.experts(), weights.size()));
    }
    Projection.check(first, x, output, routes.rows());
  }
}
