package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;

/**
 * The weight of an RMS norm. Safe to share: the array is not to be changed.
 *
 * @param weight one value for each element of a head
 * @param epsilon added to the mean of squares
 * @param zeroCentred whether the weight is stored minus one, as Qwen3-Next and Qwen3.5 hub
 *     checkpoints do: the factor is then 1 + weight
 */
public record NormWeights(float[] weight, float epsilon, boolean zeroCentred) {
  /**
   * Checks that a norm's input and output fit the weight and each other.
   *
   * @throws IllegalArgumentException naming what does not fit
   */
  public void check(TokenTensor x, TokenTensor y, int tokens) {
    if (weight.length != x.width()) {
      throw new IllegalArgumentException(
          "norm weight: expected %d values, found %d".formatted(x.width(), weight.length));
    }
    x.check("norm input", tokens, x.heads(), x.width());
    y.check("norm output", tokens, x.heads(), x.width());
  }
}
