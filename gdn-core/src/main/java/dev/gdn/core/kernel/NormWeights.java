package dev.gdn.core.kernel;

/**
 * The weight of an RMS norm. Safe to share: the array is not to be changed.
 *
 * @param weight one value for each element of a head
 * @param epsilon added to the mean of squares
 * @param zeroCentred whether the weight is stored minus one, as Qwen3-Next and Qwen3.5 hub
 *     checkpoints do: the factor is then 1 + weight
 */
public record NormWeights(float[] weight, float epsilon, boolean zeroCentred) {}
